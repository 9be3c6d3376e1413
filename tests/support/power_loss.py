"""A disk that may lose power: an SQLite VFS that records all writes, and the images that a crash could leave.

Until a file is synced, each of its writes may be on the disk, or not, or in part, in any order; the same goes for its
size, and until the folder is synced for its name. Files know nothing of each other's order. What holds is only what
SQLite's own VFS for Unix claims: a write harms no byte beside it. The wal-index (`-shm`) does not outlive the power.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import apsw

SECTOR: Final = 512
_SYNCS_FOLDER: Final = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL
_RECORDED: Final = apsw.SQLITE_OPEN_MAIN_DB | _SYNCS_FOLDER


class Created(NamedTuple):
    """A file got its name."""

    name: str
    file: int


class Deleted(NamedTuple):
    """A file name was deleted."""

    name: str


class Written(NamedTuple):
    """Bytes were written."""

    file: int
    offset: int
    data: bytes


class Resized(NamedTuple):
    """A file was cut, or made longer."""

    file: int
    size: int


class Synced(NamedTuple):
    """A file is on the disk."""

    file: int


class FolderSynced(NamedTuple):
    """The names of files are on the disk."""


class Acknowledged(NamedTuple):
    """The first `steps` steps have been acknowledged."""

    steps: int


Named = Created | Deleted
Changed = Written | Resized
Event = Named | Changed | Synced | FolderSynced | Acknowledged


class Recorder(apsw.VFS):
    """SQLite's default VFS, with a log of all operations on the files of a database."""

    def __init__(self, name: str) -> None:
        self.log: list[Event] = []
        self._files: dict[str, int] = {}
        self._count = 0
        super().__init__(name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802 (SQLite's name)
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        if path is None or not flags[0] & _RECORDED:
            return apsw.VFSFile("", name, flags)
        short, is_new = Path(path).name, not Path(path).exists()
        syncs_folder = bool(flags[0] & _SYNCS_FOLDER and flags[0] & apsw.SQLITE_OPEN_CREATE)
        if is_new:
            self._files[short] = self._count
            self._count += 1
            self.log.append(Created(short, self._files[short]))
        return _File(self.log.append, self._files[short], name, flags, syncs_folder=syncs_folder)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: FBT001, N802 (SQLite's name)
        super().xDelete(filename, syncdir)
        self.log.append(Deleted(Path(filename).name))
        if syncdir:
            self.log.append(FolderSynced())


class _File(apsw.VFSFile):
    """A file whose changes are recorded, in the order in which SQLite makes them."""

    def __init__(
        self,
        record: Callable[[Event], None],
        file: int,
        name: str | apsw.URIFilename | None,
        flags: list[int],
        *,
        syncs_folder: bool,
    ) -> None:
        self._record, self._file, self._syncs_folder = record, file, syncs_folder
        super().__init__("", name, flags)

    def xWrite(self, data: bytes | memoryview, offset: int) -> None:  # noqa: N802 (SQLite's name)
        super().xWrite(data, offset)
        self._record(Written(self._file, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 (SQLite's name)
        super().xTruncate(newsize)
        self._record(Resized(self._file, newsize))

    def xSync(self, flags: int) -> None:  # noqa: N802 (SQLite's name)
        """Note a sync; the first one of a new log syncs its folder too, as `unixSync` does."""
        super().xSync(flags)
        self._record(Synced(self._file))
        if self._syncs_folder:
            self._record(FolderSynced())
            self._syncs_folder = False


class Disk:
    """The synced content of the disk, and the operations since then."""

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._renamed: list[Named] = []
        self._files: dict[int, bytearray] = {}
        self._changes: dict[int, list[Changed]] = {}

    def take(self, event: Event) -> None:
        """Apply one event."""
        match event:
            case Created() | Deleted():
                self._renamed.append(event)
                if isinstance(event, Created):
                    self._files[event.file], self._changes[event.file] = bytearray(), []
            case Written(file) | Resized(file):
                self._changes[file].append(event)
            case Synced(file):
                _apply(self._files[file], self._changes[file])
                self._changes[file] = []
            case FolderSynced():
                _rename(self._names, self._renamed)
                self._renamed = []
            case Acknowledged():
                pass

    def image(self, rng: random.Random) -> dict[str, bytes]:
        """Return files by their names, as they might be found after a crash at this moment."""
        names = dict(self._names)
        _rename(names, [event for event in self._renamed if rng.random() < 0.5])
        return {name: self._content(file, rng) for name, file in names.items()}

    def _content(self, file: int, rng: random.Random) -> bytes:
        if not (changes := self._changes[file]):
            return bytes(self._files[file])
        content = bytearray(self._files[file])
        _apply(content, _survivors(changes, rng))
        return bytes(content)


def images(log: Iterable[Event], rng: random.Random) -> Iterator[tuple[int, dict[str, bytes]]]:
    """Yield a crash image for every moment of a log, and the number of steps acknowledged by then."""
    disk, told = Disk(), 0
    for event in log:
        disk.take(event)
        told = event.steps if isinstance(event, Acknowledged) else told
        yield told, disk.image(rng)


def write_image(folder: Path, image: Mapping[str, bytes]) -> None:
    """Write these files into a folder, and remove all others."""
    for path in folder.iterdir():
        if path.name not in image:
            path.unlink()
    for name, content in image.items():
        path = folder / name
        with path.open("r+b" if path.exists() else "wb") as file:
            file.write(content)
            file.truncate()


def _rename(names: dict[str, int], events: Iterable[Named]) -> None:
    for event in events:
        if isinstance(event, Created):
            names[event.name] = event.file
        else:
            names.pop(event.name, None)


def _apply(content: bytearray, changes: Iterable[Changed]) -> None:
    for change in changes:
        size = change.size if isinstance(change, Resized) else change.offset
        if len(content) < size:
            content.extend(bytes(size - len(content)))
        if isinstance(change, Resized):
            del content[size:]
        else:
            content[size : size + len(change.data)] = change.data


def _survivors(changes: Sequence[Changed], rng: random.Random) -> list[Changed]:
    """Return the surviving changes that were not synced, in a possible order."""
    count = len(changes)
    match rng.randrange(4):
        case 0:  # in order, up to a moment
            whole = rng.randrange(count + 1)
            return [*changes[:whole], *(part for change in changes[whole : whole + 1] for part in _torn(change, rng))]
        case 1:  # all but a few
            few = set(rng.sample(range(count), rng.randint(1, min(3, count))))
            fates = ["spoilt" if number in few else "whole" for number in range(count)]
        case 2:  # a few
            few = set(rng.sample(range(count), rng.randint(0, min(3, count))))
            fates = ["whole" if number in few else "dropped" for number in range(count)]
        case _:  # each by itself
            kept = rng.random()
            fates = ["whole" if rng.random() < kept else "spoilt" for _ in range(count)]
    left: list[Changed] = []
    for number in rng.sample(range(count), count):
        if fates[number] == "whole":
            left.append(changes[number])
        elif fates[number] == "spoilt" and rng.random() < 0.5:
            left += _torn(changes[number], rng)
    return left


def _torn(change: Changed, rng: random.Random) -> list[Changed]:
    """Return the parts of a write that reached the disk: its beginning, or some sectors, some of them as noise."""
    if isinstance(change, Resized):
        return []
    file, offset, data = change
    if rng.random() < 0.5:
        return [Written(file, offset, data[: rng.randrange(len(data))])]
    parts: list[Changed] = []
    at = offset
    while at < offset + len(data):
        end = min(at - at % SECTOR + SECTOR, offset + len(data))
        part = data[at - offset : end - offset]
        match rng.randrange(5):
            case 0 | 1:
                parts.append(Written(file, at, part))
            case 2:
                parts.append(Written(file, at, rng.randbytes(len(part))))
            case _:
                pass
        at = end
    return parts
