"""A progress bar for exact calculations."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn


@contextmanager
def progress_bar(total: int, *kernels: str) -> Iterator[Callable[[], object]]:
    """Show progress in a terminal; on the first run, say that kernels are being compiled."""
    from pitboss.exact.analysis import has_compiled_kernels  # noqa: PLC0415 (loaded for calculations)

    words = "Calculating" if has_compiled_kernels(*kernels) else "Compiling (first run only)"
    console = Console(stderr=True)
    bar = Progress(
        SpinnerColumn(), TextColumn("{task.description}"), TextColumn("{task.completed}/{task.total}"),
        console=console, transient=True, disable=not console.is_terminal,
    )  # fmt: skip
    with bar:
        task = bar.add_task(words, total=total)
        yield lambda: bar.advance(task)
