"""`pitboss submission form` and other papers for the office."""

import io
import json
from pathlib import Path

import pytest
from command import pitboss
from desk_house import House
from pypdf import PdfReader

from pitboss.house.office.acts import Approve, Fill, Hire, RecordTraining, TrainedKind
from pitboss.house.office.office import HOUSE_PERSON
from pitboss.house.office.people import Person, Post
from pitboss.house.storage.sqlite import Sqlite
from pitboss.submission import text_of


def words_of(file: Path) -> str:
    return " ".join(page.extract_text() for page in PdfReader(io.BytesIO(file.read_bytes())).pages)


def test_a_submission_is_printed_as_a_form_with_its_amendments(tmp_path: Path) -> None:
    new, form = tmp_path / "new.toml", tmp_path / "form.pdf"
    text = text_of("caribbean-stud-standard").replace('version = "1"', 'version = "2"')
    new.write_text(text.replace("minimum = 1\nmaximum = 10_000", "minimum = 5\nmaximum = 10_000"))
    ran = pitboss(
        "submission", "form", str(new), "--before", "caribbean-stud-standard", "--reference", "Letter 9", "-o", str(form)
    )  # fmt: skip
    assert (ran.status, ran.err) == (0, "")
    words = words_of(form)
    assert "The minimum of ante changed from $1.00 to $5.00." in words
    assert "was: $1" in words
    assert "Letter 9" in words
    again = tmp_path / "again.pdf"
    assert pitboss("submission", "form", str(new), "-o", str(again)).status == 0
    assert "was:" not in words_of(again)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("nothing", "-o", "form.pdf"), "There is no file or preset “nothing”"),
        (("caribbean-stud-standard", "--before", "nothing", "-o", "form.pdf"), "There is no file or preset “nothing”"),
        (("caribbean-stud-standard", "--before", "cajun-stud-standard", "-o", "form.pdf"), "a Submission for cajun-stud"),
        (("caribbean-stud-standard", "-o", "form.docx"), "form.docx must end in .pdf"),
        (("caribbean-stud-standard", "--reference", "a\nb", "-o", "form.pdf"), "unprintable character"),
        (("wrong.toml", "-o", "form.pdf"), "table.seats: A table has 1 to 7 betting positions, not 8. (639a.2(a))"),
    ],
)  # fmt: skip
def test_refuses_an_invalid_form_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.toml").write_text(text_of("caribbean-stud-standard").replace("seats = 7", "seats = 8"))
    ran = pitboss("submission", "form", *arguments)
    assert ran.status == 2
    assert why in ran.err
    assert len(ran.err.strip().splitlines()) == 1
    assert not Path("form.pdf").exists()


def test_a_layout_is_printed_as_a_sheet_for_the_board(tmp_path: Path) -> None:
    sheet = tmp_path / "layout.pdf"
    ran = pitboss("submission", "layout", "cajun-stud-standard", "-o", str(sheet))
    assert (ran.status, ran.err) == (0, "")
    words = words_of(sheet)
    wanted = ("Pitboss Demonstration Casino", "Cajun Stud", "Third Raise", "683a.2(b)(2)", "Lo Ball", "683a.2(b)(3)")
    assert [one for one in wanted if one not in words] == []


@pytest.mark.parametrize(
    ("name", "file", "why"),
    [
        ("nothing", "layout.pdf", "There is no file or preset “nothing”"),
        ("cajun-stud-standard", "layout.svg", "layout.svg must end in .pdf"),
        ("wrong.toml", "layout.pdf", "table.seats: A table has 1 to 7 betting positions, not 8. (639a.2(a))"),
    ],
)
def test_refuses_an_invalid_layout_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, file: str, why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.toml").write_text(text_of("caribbean-stud-standard").replace("seats = 7", "seats = 8"))
    ran = pitboss("submission", "layout", name, "-o", file)
    assert (ran.status, len(ran.err.strip().splitlines())) == (2, 1)
    assert why in ran.err
    assert not Path(file).exists()


@pytest.fixture
def house_with_a_fill(tmp_path: Path) -> Path:
    """A data folder of a house with one fill."""
    house = House(lambda: Sqlite(tmp_path / "house.db"))
    house.open("stud")
    waits = house.act_ok(Fill("stud", 5_000_00), Person("flo", Post.FLOORPERSON)).waiting
    house.act_ok(Approve(waits))
    house.close()
    return tmp_path


def test_slips_of_a_house_are_listed_and_printed(house_with_a_fill: Path) -> None:
    listed = pitboss("audit", "slips", str(house_with_a_fill), "--format", "json")
    (slip,) = json.loads(listed.out)
    assert (slip["slip"], slip["kind"], slip["table"], slip["round"]) == ("F-000001", "fill", "stud", 1)
    assert (slip["by"], slip["second"], slip["amount"]) == ("flo", "boss", 5_000_00)
    assert "F-000001" in pitboss("audit", "slips", str(house_with_a_fill), "--kind", "fill").out
    assert "No slip matches." in pitboss("audit", "slips", str(house_with_a_fill), "--table", "prime").out
    ran = pitboss("audit", "slip", str(house_with_a_fill), "F-000001", "-o", str(house_with_a_fill / "slip.pdf"))
    assert (ran.status, ran.err) == (0, "")
    words = words_of(house_with_a_fill / "slip.pdf")
    assert [one for one in ("F-000001", "$5,000.00", "flo, floorperson", "boss, operator") if one not in words] == []


@pytest.mark.parametrize(
    ("number", "file", "why"),
    [
        ("F-2", "slip.pdf", "There is no fill slip F-2."),
        ("12", "slip.pdf", "“12” is not the number of a slip, such as F-000012."),
        ("F-1", "slip.docx", "slip.docx must end in .pdf"),
    ],
)
def test_refuses_an_unknown_slip_in_one_sentence(house_with_a_fill: Path, number: str, file: str, why: str) -> None:
    ran = pitboss("audit", "slip", str(house_with_a_fill), number, "-o", str(house_with_a_fill / file))
    assert (ran.status, len(ran.err.strip().splitlines())) == (2, 1)
    assert why in ran.err
    assert not (house_with_a_fill / file).exists()


@pytest.fixture
def house_with_an_examination(tmp_path: Path) -> Path:
    """A data folder of a house with one examination."""
    house = House(lambda: Sqlite(tmp_path / "house.db"))
    house.act_ok(Hire("dana", Post.DEALER, "none"), HOUSE_PERSON)
    act = RecordTraining(
        person="dana",
        game="cajun-stud",
        rules="preset cajun-stud-standard",
        version="1",
        is_test=False,
        kinds=(TrainedKind("pay", 8, 6, 300, 480),),
        lines=30,
        lines_right=28,
        wrong={"683a.11(e)": 2},
        drills=("pay a", "pay b"),
    )
    assert house.office.record_training(Person("flo", Post.FLOORPERSON), act, "key").accepted
    house.close()
    return tmp_path


def test_a_training_record_is_listed_printed_and_exported(house_with_an_examination: Path) -> None:
    (one,) = json.loads(pitboss("audit", "training", str(house_with_an_examination), "--format", "json").out)
    assert (one["person"], one["examined_by"], one["right"], one["asked"]) == ("dana", "flo", 6, 8)
    listed = pitboss("audit", "training", str(house_with_an_examination)).out
    assert [word for word in ("dana", "Take and pay", "6 of 8", "flo") if word not in listed] == []
    for kind in ("pdf", "csv", "json"):
        file = house_with_an_examination / f"record.{kind}"
        ran = pitboss("audit", "training", str(house_with_an_examination), "--person", "dana", "-o", str(file))
        assert (ran.status, ran.err) == (0, "")
    words = words_of(house_with_an_examination / "record.pdf")
    assert [word for word in ("dana", "Take and pay", "6 of 8", "75 %", "683a.11(e)") if word not in words] == []
    assert (
        ",dana,cajun-stud,Take and pay,6,8,75.0,300,480,yes,flo,"
        in (house_with_an_examination / "record.csv").read_text()
    )
    assert json.loads((house_with_an_examination / "record.json").read_text()) == [one]
    assert (
        "There are no training records."
        in pitboss("audit", "training", str(house_with_an_examination), "--person", "flo").out
    )


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("-o", "record.pdf"), "needs --person"),
        (("-o", "record.docx"), "not record.docx"),
        (("--person", "nobody"), "There is no staff member “nobody”."),
        (("--person", "nobody", "-o", "record.csv"), "There is no staff member “nobody”."),
    ],
)
def test_refuses_an_invalid_training_record_in_one_sentence(
    house_with_an_examination: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], why: str
) -> None:
    monkeypatch.chdir(house_with_an_examination)
    ran = pitboss("audit", "training", str(house_with_an_examination), *arguments)
    assert (ran.status, len(ran.err.strip().splitlines())) == (2, 1)
    assert why in ran.err
    assert not list(house_with_an_examination.glob("record.*"))
