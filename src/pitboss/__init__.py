"""Pennsylvania's house-banked stud games as working software.

The layers, each importing only from those before it: `cards` and `money`, `ranking`, `rulebook`,
`games`, `submission`, `progressive`, `table`, `record`, `report`, `cli`.
"""

__version__ = "0.2.0"
