"""The bundle for an auditor: it verifies without the database and leaves out rounds under way."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from pitboss.cli import main
from pitboss.errors import Mistake
from pitboss.house import evidence
from pitboss.house.evidence import export_bundle, signing_key
from pitboss.house.storage.sqlite import Sqlite


def test_a_bundle_is_verified_without_the_database(
    house: Sqlite, made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = export_bundle(house, tmp_path / "bundle")
    ends: dict[str, int] = dict(house.execute("SELECT chain, MAX(last) FROM round GROUP BY chain"))
    for chain, last in ends.items():
        file = tmp_path / "bundle" / "tables" / f"{chain}.jsonl"
        assert main(["replay", str(file), "--format", "json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["verified"], found["whole"], found["entries"]) == (True, True, last)
    assert {*ends, "house"} == {*(name for (name,) in house.execute("SELECT id FROM chain"))}
    files = {file.relative_to(tmp_path / "bundle").as_posix() for file in (tmp_path / "bundle").rglob("*.*")}
    assert isinstance(manifest["sha256"], dict)
    assert files == {*manifest["sha256"], "manifest.json"}
    for name, digest in manifest["sha256"].items():
        assert sha256((tmp_path / "bundle" / name).read_bytes()).hexdigest() == digest
    key = evidence.public_key(tmp_path / "bundle" / "signing.pub")
    signed = (tmp_path / "bundle" / "checkpoints.jsonl").read_bytes().splitlines()
    assert len(signed) == 3
    for line in signed:
        text, _, rest = line.removeprefix(b'{"signed":').rpartition(b',"signature":"')
        key.verify(bytes.fromhex(rest.decode()[:128]), text)
    assert key.public_bytes_raw() == signing_key(made).public_key().public_bytes_raw()
    for chain, (seq, digest) in json.loads(signed[-1])["signed"]["finished"].items():
        file = tmp_path / "bundle" / ("house.jsonl" if chain == "house" else f"tables/{chain}.jsonl")
        assert json.loads(file.read_text().splitlines()[seq])["hash"] == digest


def test_a_bundle_leaves_out_the_round_under_way(house: Sqlite, tmp_path: Path) -> None:
    export_bundle(house, tmp_path / "bundle")
    written = b"".join(file.read_bytes() for file in (tmp_path / "bundle").rglob("*.*"))
    left_out = house.execute(
        "SELECT e.body, e.hash FROM entry e WHERE e.chain <> 'house' AND e.seq >"
        " (SELECT MAX(last) FROM round r WHERE r.chain = e.chain)"
    )
    assert len(left_out) > 20
    for body, digest in left_out:
        assert bytes(body) not in written
        assert digest.encode() not in written
    for body, _ in house.execute("SELECT body, hash FROM entry WHERE chain = '639a' AND seq <= 20"):
        assert bytes(body) in written


def test_a_bundle_has_only_the_chosen_tables(house: Sqlite, tmp_path: Path) -> None:
    export_bundle(house, tmp_path / "bundle", ["683a"])
    assert [file.name for file in (tmp_path / "bundle" / "tables").iterdir()] == ["683a.jsonl"]
    with pytest.raises(Mistake, match="already exists"):
        export_bundle(house, tmp_path / "bundle")
    with pytest.raises(Mistake, match="There is no table “house”"):
        export_bundle(house, tmp_path / "other", ["house"])
