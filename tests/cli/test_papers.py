"""`pitboss submission form` and other papers, as the office meets them."""

import io
from pathlib import Path

import pytest
from command import pitboss
from pypdf import PdfReader

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
    assert "The minimum of ante went from $1.00 to $5.00." in words
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
        (("caribbean-stud-standard", "-o", "form.docx"), "form.docx does not end in .pdf"),
        (("caribbean-stud-standard", "--reference", "a\nb", "-o", "form.pdf"), "cannot be printed"),
        (("wrong.toml", "-o", "form.pdf"), "table.seats: A table has 1 to 7 betting positions, not 8. (639a.2(a))"),
    ],
)  # fmt: skip
def test_a_form_that_cannot_be_printed_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.toml").write_text(text_of("caribbean-stud-standard").replace("seats = 7", "seats = 8"))
    ran = pitboss("submission", "form", *arguments)
    assert ran.status == 2
    assert why in ran.err
    assert len(ran.err.strip().splitlines()) == 1
    assert not Path("form.pdf").exists()
