"""Submissions with every approval that a table for real money needs, or without one of them."""

from pitboss.submission import text_of

DAY = "2026-03-02"
PRESETS = {"639a": "caribbean-stud-standard", "682a": "four-card-prime-standard", "683a": "cajun-stud-standard"}
NEEDED = {
    "639a": {"layout": "(b)", "progressive-system": "(c)", "electronic-wagering": "(d)", "drop-box": "(e)"},
    "682a": {"layout": "(b)", "drop-box": "(c)"},
    "683a": {"layout": "(b)", "drop-box": "(c)"},
}
"""By chapter: the approvals of section .2, with their subsections."""


def approved_text(
    chapter: str, *without: str, dated: bool = True, device: bool = False, dealing: str = "manual-shoe"
) -> str:
    """A preset with every approval it needs, except these."""
    found = text_of(PRESETS[chapter]).replace('dealing = "manual-shoe" ', f'dealing = "{dealing}" ')
    if device:
        found = found.replace('shuffler = "automated" ', 'shuffler = "approved-device" ')
    if dated:
        found = found.replace("[table]", f"approved = {DAY}\n\n[table]", 1)
    kinds = [
        *NEEDED[chapter],
        *(["device"] if device else []),
        *(["manual-shoe"] if dealing == "manual-shoe" else []),
    ]
    lines = [f'{kind} = {{ reference = "No. {kind}", date = {DAY} }}' for kind in kinds if kind not in without]
    return "\n".join([found, "[approvals]", *lines, ""])
