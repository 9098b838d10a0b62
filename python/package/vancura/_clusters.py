"""Positions by the table, for Ray Data, Dask and Spark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ._engine import Engine

#: The columns that are added, with their types in SQL.
COLUMNS = {
    "multipv": "int",
    "cp": "int",
    "mate": "int",
    "points": "double",
    "best": "string",
    "line": "string",
    "wdl_win": "int",
    "wdl_draw": "int",
    "wdl_loss": "int",
    "depth": "int",
    "nodes": "bigint",
}


class Analyser:
    """Analyses tables of positions: each row comes back with what a search has found, a row for each line.

    It is called with a table of Arrow, a frame of pandas or a dictionary of arrays, and can be sent to other processes.
    Answers depend on nothing but the row, so a part that is done again elsewhere gives the same.

    Args:
        column: The column with FENs.
        searches: How many positions one process searches at a time. One where a cluster already has a process for each core.
        settings: Those of :class:`vancura.Engine`.
    """

    def __init__(self, *, column: str = "fen", searches: int = 1, **settings: Any) -> None:
        self._column = column
        self._searches = searches
        self._engine = Engine(**settings)

    def __call__(self, batch: Any) -> Any:
        """A table with all columns of this one, and those of :data:`COLUMNS`."""
        import pyarrow

        if isinstance(batch, pyarrow.RecordBatch):
            return self._table(pyarrow.Table.from_batches([batch])).combine_chunks().to_batches()[0]
        if isinstance(batch, pyarrow.Table):
            return self._table(batch)
        if isinstance(batch, dict):
            return self._table(pyarrow.table(batch))
        table = self._table(pyarrow.Table.from_pandas(batch, preserve_index=False))
        return table.to_pandas(types_mapper=_pandas_type)

    def in_arrow(self, batches: Iterator[Any]) -> Iterator[Any]:
        """For ``DataFrame.mapInArrow`` of Spark."""
        for batch in batches:
            if batch.num_rows:
                yield self(batch)

    def _table(self, table: Any) -> Any:
        import pyarrow

        if self._column not in table.column_names:
            raise ValueError(f"there is no column {self._column!r} among {table.column_names}")
        fens = table.column(self._column).to_pylist()
        answers = self._engine.analyse_batch(fens, searches=self._searches)
        indices = [index for index, answer in enumerate(answers) for _ in answer.lines]
        rows = [{**row, "best": answer.best} for answer in answers for row in answer.rows()]
        # What the rows already have under such a name gives way.
        table = table.drop_columns([name for name in table.column_names if name in COLUMNS])
        table = table.take(pyarrow.array(indices, pyarrow.int64()))
        for name, kind in COLUMNS.items():
            table = table.append_column(name, pyarrow.array([row[name] for row in rows], _arrow_type(kind)))
        return table


def schema(spark_columns: str) -> str:
    """The schema of Spark for the result, after that of the table that goes in: ``"fen string"``."""
    return ", ".join([spark_columns, *(f"{name} {kind}" for name, kind in COLUMNS.items())])


def _arrow_type(kind: str) -> Any:
    import pyarrow

    return {"int": pyarrow.int32(), "bigint": pyarrow.int64(), "double": pyarrow.float64(), "string": pyarrow.string()}[kind]


def _pandas_type(kind: Any) -> Any:
    import pandas
    import pyarrow

    # So that a missing number does not make all others floats.
    return {pyarrow.int32(): pandas.Int32Dtype(), pyarrow.int64(): pandas.Int64Dtype()}.get(kind)
