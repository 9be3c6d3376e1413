"""The front page: what this house is, which tables are open, and where programs read on."""

from html import escape

from litestar import MediaType, get
from litestar.datastructures import State

from pitboss.submission.signs import sign_of

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Pitboss</title>
<meta name="viewport" content="width=device-width"><style>
body{{font:16px/1.5 "Gill Sans","Segoe UI",sans-serif;background:#123524;color:#f3ecd8;margin:0;padding:6vh 8vw}}
h1{{font-family:Georgia,serif;font-weight:normal;letter-spacing:.04em}} a{{color:#e5c98a}}
table{{border-collapse:collapse;margin:2em 0}}
td,th{{text-align:left;padding:.4em 2em .4em 0;border-bottom:1px solid #2d5a43}}
td.n{{font-variant-numeric:tabular-nums;text-align:right}} .quiet{{color:#b9c8b4}}</style>
<h1>Pitboss</h1><p>{money}</p>
<table><tr><th>table<th>game<th>round<th>seats taken</tr>{rows}</table>
<p class="quiet">Programs: the API is described by <a href="/schema/openapi.json">OpenAPI</a>;
the live feed is a WebSocket at <code>/api/live</code>.</p></html>"""


@get("/", media_type=MediaType.HTML, include_in_schema=False)
async def front(state: State) -> str:
    """Show the house."""
    run = state["runtime"]
    rows = "".join(
        f"<tr><td>{escape(name)}<td>{escape(sign_of(standing.submission).title)}<td class=n>{standing.table.round}"
        f"<td class=n>{len(standing.table.seated)} of {standing.table.rules.seats}</tr>"
        for name, standing in sorted(run.hub.standings.items())
    )
    money = "Play money: nothing here is worth anything." if run.config.play_money else "Real money, under a licence."
    return _PAGE.format(rows=rows, money=money)
