"""How far long work is, in a terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn


@contextmanager
def progress_bar(total: int, *kernels: str) -> Iterator[Callable[[], object]]:
    """Show how far the work is, in a terminal; the first time ever, that its kernels are compiled."""
    from pitboss.exact.analysis import has_compiled_kernels  # noqa: PLC0415 (loaded when something is worked out)

    words = "Working it out" if has_compiled_kernels(*kernels) else "Compiling, this once; then it takes about a second"
    console = Console(stderr=True)
    bar = Progress(
        SpinnerColumn(), TextColumn("{task.description}"), TextColumn("{task.completed}/{task.total}"),
        console=console, transient=True, disable=not console.is_terminal,
    )  # fmt: skip
    with bar:
        task = bar.add_task(words, total=total)
        yield lambda: bar.advance(task)
