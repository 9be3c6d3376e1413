"""Each hash covers the contents and the names of its files."""

from pathlib import Path

import pytest

from pitboss import source_hashes
from pitboss.source_hashes import code_hash, current_hashes, engine_hash, rules_hash, source_hash


def test_code_alone_and_code_with_data_are_hashed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "package"
    monkeypatch.setattr(source_hashes, "PACKAGE", package)
    (package / "games").mkdir(parents=True)
    code, data = package / "games" / "one.py", package / "games" / "one.toml"

    def hashes() -> tuple[str, str]:
        source_hashes._hash_files.cache_clear()
        return code_hash("games"), source_hash("games")

    found = []
    for file, text in ((code, "1"), (data, "1"), (data, "2"), (code, "2")):
        file.write_text(text)
        found.append(hashes())
    code.rename(package / "games" / "other.py")
    found.append(hashes())
    assert [len({pair[place] for pair in found}) for place in (0, 1)] == [3, 5]
    assert found[0][0] == found[1][0] == found[2][0]
    with pytest.raises(FileNotFoundError):
        code_hash("missing")
    source_hashes._hash_files.cache_clear()


def test_rules_and_engine_have_different_hashes() -> None:
    assert current_hashes() == (rules_hash(), engine_hash())
    assert len({rules_hash(), engine_hash(), source_hash("rulebook")}) == 3
