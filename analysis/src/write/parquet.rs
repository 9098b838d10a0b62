//! Tables as Parquet, for programs that read a column rather than a row: DuckDB, pandas, Polars, Spark.

use std::io::{self, Write};
use std::marker::PhantomData;
use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical};
use ::parquet::column::writer::ColumnWriterImpl;
use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::{Type, TypePtr};

use crate::model::Run;
use crate::rows::{Cell, Column, Kind, Row};
use crate::write::output::Sink;

/// So many rows are kept in memory, and stand together in the file.
const GROUP_ROWS: usize = 1 << 16;

/// The one time of a row is `UTCTime`.
const IS_UTC: bool = true;

/// The key under which the file says what engine with what settings made it, as `--json` has it.
const RUN_KEY: &str = "vancura.run";

/// A table that is written. What is asked of it is refused with an error once the file has been finished.
pub(crate) struct ParquetTable<R> {
    writer: SerializedFileWriter<Sink>,
    columns: Vec<ColumnBuffer>,
    rows: usize,
    row: PhantomData<fn(R)>,
}

impl<R: Row> ParquetTable<R> {
    /// Begins a table of a run.
    pub fn of_run(sink: Sink, run: &Run) -> io::Result<Self> {
        Self::begin(sink, vec![KeyValue::new(RUN_KEY.to_owned(), serde_json::to_string(run)?)])
    }

    /// Begins a table about which these things are to be said.
    pub fn begin(sink: Sink, said: Vec<KeyValue>) -> io::Result<Self> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(uci::NAME.to_owned())
            .set_key_value_metadata(Some(said))
            .build();
        let schema = schema(R::TABLE, R::COLUMNS).map_err(written)?;
        let writer = SerializedFileWriter::new(sink, schema, Arc::new(properties)).map_err(written)?;
        Ok(Self { writer, columns: R::COLUMNS.iter().map(ColumnBuffer::new).collect(), rows: 0, row: PhantomData })
    }

    /// Adds rows.
    pub fn add(&mut self, rows: impl IntoIterator<Item = R>) -> io::Result<()> {
        for row in rows {
            for (column, cell) in self.columns.iter_mut().zip(row.cells()) {
                column.push(cell);
            }
            self.rows += 1;
            if self.rows == GROUP_ROWS {
                self.write_group().map_err(written)?;
            }
        }
        Ok(())
    }

    fn write_group(&mut self) -> Result<()> {
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            column.write(&mut group)?;
        }
        group.close()?;
        self.rows = 0;
        Ok(())
    }

    /// Writes what is left, and the end of the file.
    pub fn finish(&mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.write_group().map_err(written)?;
        }
        self.writer.finish().map_err(written)?;
        self.writer.inner_mut().flush()
    }

    /// Puts the file in its place, as [`Sink::commit`].
    pub fn commit(&mut self, keeps_old: bool) -> io::Result<()> {
        self.writer.inner_mut().commit(keeps_old)
    }
}

/// An error of the file, as it was before the library wrapped it.
fn written(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}

fn schema(name: &str, columns: &[Column]) -> Result<TypePtr> {
    let fields = columns.iter().map(|column| field(column).map(Arc::new)).collect::<Result<_>>()?;
    Type::group_type_builder(name).with_fields(fields).build().map(Arc::new)
}

fn field(column: &Column) -> Result<Type> {
    let (physical, logical) = match column.kind {
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Bool => (Physical::BOOLEAN, None),
        Kind::Double => (Physical::DOUBLE, None),
        Kind::Date => (Physical::INT32, Some(LogicalType::Date)),
        Kind::Time => (Physical::INT32, Some(LogicalType::time(IS_UTC, TimeUnit::MILLIS))),
        Kind::Integer { bits, is_signed } => {
            let physical = if bits > 32 { Physical::INT64 } else { Physical::INT32 };
            (physical, Some(LogicalType::integer(bits, is_signed)))
        }
    };
    let repetition = if column.is_optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    Type::primitive_type_builder(column.name, physical).with_repetition(repetition).with_logical_type(logical).build()
}

/// The cells of a column that have not been written yet.
struct ColumnBuffer {
    /// For each cell whether it is known, as 1 or 0, if it need not be.
    levels: Option<Vec<i16>>,
    values: Values,
}

/// Those that are known.
enum Values {
    Text(Vec<ByteArray>),
    Bool(Vec<bool>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Double(Vec<f64>),
}

impl ColumnBuffer {
    fn new(column: &Column) -> Self {
        let values = match column.kind {
            Kind::Text => Values::Text(Vec::new()),
            Kind::Bool => Values::Bool(Vec::new()),
            Kind::Integer { bits: 64.., .. } => Values::Int64(Vec::new()),
            Kind::Integer { .. } | Kind::Date | Kind::Time => Values::Int32(Vec::new()),
            Kind::Double => Values::Double(Vec::new()),
        };
        Self { levels: column.is_optional.then(Vec::new), values }
    }

    fn push(&mut self, cell: Cell) {
        if let Some(levels) = &mut self.levels {
            levels.push((cell != Cell::Null).into());
        }
        match (&mut self.values, cell) {
            (Values::Text(values), Cell::Text(text)) => values.push(text.into()),
            (Values::Bool(values), Cell::Bool(value)) => values.push(value),
            (Values::Double(values), Cell::Double(value)) => values.push(value),
            (Values::Int64(values), Cell::Integer(value)) => values.push(value),
            #[expect(clippy::cast_possible_truncation, reason = "of 32 bits, with a sign or without")]
            (Values::Int32(values), Cell::Integer(value)) => values.push(value as i32),
            (Values::Int32(values), Cell::Date(value) | Cell::Time(value)) => values.push(value),
            (_, cell) => debug_assert_eq!(cell, Cell::Null, "a cell is of its column's kind"),
        }
    }

    /// Writes the cells, as the next column of a group, and forgets them.
    fn write(&mut self, group: &mut SerializedRowGroupWriter<'_, Sink>) -> Result<()> {
        let levels = self.levels.as_deref();
        match &mut self.values {
            Values::Text(values) => write_column::<ByteArrayType>(group, values, levels),
            Values::Bool(values) => write_column::<BoolType>(group, values, levels),
            Values::Int32(values) => write_column::<Int32Type>(group, values, levels),
            Values::Int64(values) => write_column::<Int64Type>(group, values, levels),
            Values::Double(values) => write_column::<DoubleType>(group, values, levels),
        }?;
        if let Some(levels) = &mut self.levels {
            levels.clear();
        }
        Ok(())
    }
}

fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Sink>,
    values: &mut Vec<T::T>,
    levels: Option<&[i16]>,
) -> Result<()> {
    let no_column = || ParquetError::General("the table has no such column".to_owned());
    let mut column = group.next_column()?.ok_or_else(no_column)?;
    let typed: &mut ColumnWriterImpl<'_, T> = column.typed::<T>();
    typed.write_batch(values, levels, None)?;
    values.clear();
    column.close()
}
