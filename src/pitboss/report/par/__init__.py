"""The PAR sheet of a game or a Submission: a document one could file, as HTML, PDF or a spreadsheet.

model    what it says, worked out
plots    its pictures, drawn with svg_plot on the axes of scale
page     HTML       paper    PDF       book    XLSX with live formulas
"""

from pitboss.report.par.model import Par, par_of_game, par_of_submission

__all__ = ["Par", "par_of_game", "par_of_submission"]
