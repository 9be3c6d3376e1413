"""The layout of an open table, for screens."""

from litestar import get
from litestar.datastructures import State

from pitboss.house.live_table import LiveTable
from pitboss.report.layout import Layout, layout_of
from pitboss.web.runtime import Runtime


def table_layout(live: LiveTable, *, play_money: bool) -> Layout:
    """Return the layout of a live table."""
    return layout_of(
        live.chain,
        live.table,
        live.submission,
        automatic=live.settings.automatic,
        play_money=play_money,
    )


@get("/api/tables/{table:str}/layout", tags=["tables"])
async def layout(table: str, state: State) -> Layout:
    """Return the layout printed on a table's felt."""
    run: Runtime = state["runtime"]
    return table_layout(run.live(table), play_money=run.config.play_money)
