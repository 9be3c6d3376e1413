"""The PAR sheet of a game or a Submission: a document one could file, as HTML, PDF or a spreadsheet.

model    its content, calculated
tables   its tables as text
plots    its plots, drawn with svg_plot on the axes of scale
html_page, pdf, spreadsheet    the three formats; the spreadsheet has live formulas
"""

from pitboss.report.par.model import Par, par_of_game, par_of_submission

__all__ = ["Par", "par_of_game", "par_of_submission"]
