"""Tables of positions, as clusters hand them out."""

from __future__ import annotations

import os
import pickle
import signal
import time

import pandas
import pyarrow
import pytest
from conftest import played

import vancura

FENS = [played(seed, 3 + seed % 50).fen() for seed in range(40)]
COLUMNS = ["multipv", "cp", "mate", "points", "best", "line", "wdl_win", "wdl_draw", "wdl_loss", "depth", "nodes"]


@pytest.fixture(scope="module")
def expected():
    return vancura.Analyser(nodes=500)(pyarrow.table({"fen": FENS, "id": range(len(FENS))}))


def test_all_kinds_of_tables_give_the_same(expected):
    analyser = pickle.loads(pickle.dumps(vancura.Analyser(nodes=500)))
    table = pyarrow.table({"fen": FENS, "id": range(len(FENS))})
    assert expected.column_names == ["fen", "id", *COLUMNS]
    assert analyser(table.combine_chunks().to_batches()[0]) == expected.combine_chunks().to_batches()[0]
    frame = analyser(table.to_pandas())
    assert isinstance(frame, pandas.DataFrame)
    assert frame["cp"].tolist() == expected.to_pandas(types_mapper={pyarrow.int32(): pandas.Int32Dtype()}.get)["cp"].tolist()
    assert analyser({"fen": FENS, "id": list(range(len(FENS)))}).equals(expected)
    parts = analyser.in_arrow(iter(table.to_batches(max_chunksize=7)))
    assert pyarrow.Table.from_batches(parts).equals(expected)


def test_each_line_has_a_row():
    table = vancura.Analyser(nodes=500, multipv=2)(pyarrow.table({"fen": ["startpos", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]}))
    assert table.column("multipv").to_pylist() == [1, 2, 1]
    assert table.column("line").to_pylist()[2] is None
    # A second look replaces the first.
    assert vancura.Analyser(nodes=500)(table.slice(0, 1)).column_names == table.column_names


def test_a_table_without_positions_is_refused():
    with pytest.raises(ValueError, match="no column 'fen'"):
        vancura.Analyser(nodes=1)(pyarrow.table({"position": FENS}))


def test_the_schema_for_spark_names_all_columns():
    assert [part.split()[0] for part in vancura.spark_schema("fen string").split(", ")] == ["fen", *COLUMNS]


def test_dask_gives_the_same(expected):
    distributed = pytest.importorskip("distributed")
    dataframe = pytest.importorskip("dask.dataframe")
    analyser = vancura.Analyser(nodes=500)
    frame = pandas.DataFrame({"fen": FENS, "id": range(len(FENS))})
    meta = analyser(frame.iloc[:1]).iloc[:0]
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        parts = dataframe.from_pandas(frame, npartitions=8).map_partitions(analyser, meta=meta)
        future = client.compute(parts)
        # A worker that is killed loses nothing.
        time.sleep(0.2)
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        result = future.result(timeout=120)
    assert result["cp"].fillna(9999).tolist() == [
        9999 if value is None else value for value in expected.column("cp").to_pylist()
    ]
    assert result["best"].tolist() == expected.column("best").to_pylist()


def test_ray_gives_the_same(expected):
    ray = pytest.importorskip("ray")
    data = pytest.importorskip("ray.data")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        table = pyarrow.table({"fen": FENS, "id": range(len(FENS))})
        options = {"fn_constructor_kwargs": {"nodes": 500}, "concurrency": 2, "batch_format": "pyarrow", "batch_size": 8}
        rows = data.from_arrow(table).map_batches(vancura.Analyser, **options).take_all()
    finally:
        ray.shutdown()
    rows.sort(key=lambda row: row["id"])
    assert [(row["id"], row["cp"], row["best"]) for row in rows] == list(
        zip(*(expected.column(name).to_pylist() for name in ["id", "cp", "best"]), strict=True)
    )
