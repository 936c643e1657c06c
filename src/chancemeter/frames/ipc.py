"""Arrow IPC files and streams (Feather among them), read by pyarrow batch by batch."""

# ruff: noqa: S608  what enters SQL is made here, or quoted by `literal`

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from chancemeter.errors import Fault, InputError
from chancemeter.frames.duck import Engine, Field
from chancemeter.frames.paths import File, damaged, require_component
from chancemeter.frames.readings import same_columns, same_type


class ArrowReading:
    """Arrow files as a relation; types are kept, dictionaries are their values."""

    def __init__(self, files: Sequence[File], engine: Engine) -> None:
        """Read the schemas, which must agree."""
        require_component("pyarrow", "files", "reading Arrow files")
        self.files, self._engine = files, engine
        self._name = f"arrow{id(self)}"
        self._schema = _open(files[0]).schema
        names = list(self._schema.names)
        for file in files[1:]:
            schema = _open(file).schema
            same_columns(files[0], names, file, schema.names)
            if list(schema.names) != names:
                what, fix = f"columns in another order than in {files[0].path.name}", "reorder them"
                raise InputError(Fault("CM101", what, str(file.path), fix=fix))
            for a, b in zip(self._schema, schema, strict=True):
                same_type(files[0], _plain(a.type), file, _plain(b.type), a.name)
        everything = [Field(name, f"c{i}") for i, name in enumerate(names)]
        types = engine.rows(f"DESCRIBE SELECT * FROM {self.relation(everything)}")
        self.fields = [
            Field(name, f"c{i}", row[1], declared=_declared(files[0], i))
            for i, (name, row) in enumerate(zip(names, types, strict=True))
        ]

    def relation(self, used: Sequence[Field]) -> str:
        """A fresh reader of the columns that are used: it can be read once."""
        import pyarrow as pa

        # Something must be read for the rows to be counted.
        places = sorted({int(field.sql[1:]) for field in used}) or [0]
        wanted = [(i, _values(self._schema.field(i).type)) for i in places]
        schema = pa.schema([pa.field(f"c{i}", kind) for i, kind in wanted])
        reader = pa.RecordBatchReader.from_batches(schema, self._batches(schema, places))
        self._engine.connection.register(self._name, reader)
        return self._name

    def _batches(self, schema: Any, places: Sequence[int]) -> Iterator[Any]:
        import pyarrow as pa

        for file in self.files:
            try:
                for batch in _batches(_open(file)):
                    arrays = [
                        batch.column(i).cast(field.type)
                        for i, field in zip(places, schema, strict=True)
                    ]
                    yield pa.RecordBatch.from_arrays(arrays, schema=schema)
            except (pa.ArrowException, OSError) as error:
                raise damaged(file.path, error) from None

    def rows(self) -> int | None:
        """The engine counts them beside the groups."""
        return None

    def repair(self, error: Exception) -> bool:
        """There is one way to read Arrow."""
        del error
        return False

    def explain(self, error: Exception) -> InputError:
        """Which of the files cannot be read to its end."""
        import pyarrow as pa

        for file in self.files:
            try:
                for batch in _batches(_open(file)):
                    batch.validate()
            except InputError as found:
                return found
            except (pa.ArrowException, OSError) as found:
                return damaged(file.path, found)
        return damaged(self.files[0].path, str(error).splitlines()[0])


def _open(file: File) -> Any:
    """A reader of batches, of either form."""
    import pyarrow as pa

    source = pa.memory_map(str(file.path))
    try:
        if source.read(6) == b"ARROW1":
            return pa.ipc.open_file(source)
        source.seek(0)
        return pa.ipc.open_stream(source)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise damaged(file.path, error) from None


def _batches(reader: Any) -> Iterator[Any]:
    if hasattr(reader, "num_record_batches"):
        return (reader.get_batch(i) for i in range(reader.num_record_batches))
    return iter(reader)


def _values(kind: Any) -> Any:
    """The type of the values; a dictionary is how they are written."""
    import pyarrow as pa

    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _plain(kind: Any) -> str:
    """A type by its use: whole numbers of any width are alike, and so are texts."""
    import pyarrow as pa

    kind = _values(kind)
    if pa.types.is_integer(kind):
        return "INTEGER"
    if pa.types.is_floating(kind):
        return "DOUBLE"
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return "VARCHAR"
    return str(kind)


def _declared(file: File, place: int) -> tuple[Any, ...] | None:
    """The categories of an ordered dictionary."""
    import pyarrow as pa

    reader = _open(file)
    kind = reader.schema.field(place).type
    if not (pa.types.is_dictionary(kind) and kind.ordered):
        return None
    batch = next(_batches(reader), None)
    return None if batch is None else tuple(batch.column(place).dictionary.to_pylist())
