"""Pennsylvania's house-banked stud games as working software.

The layers; each imports only from earlier ones: `errors` and `decoding`; `cards`, `money` and `cache`; `ranking`,
`rulebook`, `games`, `submission`, `progressive`; `table` and `exact`; `record`, `training`, `report`, `house`,
`rehearse`, `web`, `cli`.
"""

__version__ = "0.2.0"
