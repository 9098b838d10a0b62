//! The tools. Each has a file: its parameters, its result, and what it does.

mod analyse;
mod compare_moves;
mod explain_move;
mod mate;
mod played;
mod review_game;
mod rules;
mod score;
mod tablebase;

use std::any::Any;

use rmcp::handler::server::tool::schema_for_output;
use rmcp::model::JsonObject;
use rmcp::schemars::JsonSchema;
use serde_json::Value;
use serve::Fault;

use crate::call::Pieces;
use crate::parameters::{Parameter, Values};
use crate::pool::Pool;

/// What the server knows of a tool.
pub(crate) struct ToolEntry {
    pub name: &'static str,
    pub title: &'static str,
    /// For the model that chooses among the tools.
    pub description: &'static str,
    pub parameters: &'static [Parameter],
    /// Greater ones are worked on first: who asks little waits little.
    pub priority: i64,
    /// Whether its pieces tell how much is done.
    pub tells_progress: bool,
    /// The schema of its result.
    pub result: fn() -> JsonObject,
    /// Cuts a call into pieces.
    pub begin: fn(&Values, &Pool) -> Result<Pieces, Fault>,
}

/// The schema of a result.
fn schema_of<T: JsonSchema + Any>() -> JsonObject {
    let mut schema = schema_for_output::<T>().as_ref().clone();
    remove_formats(&mut schema);
    schema
}

/// Removes the names of Rust's types of numbers, of which clients complain.
fn remove_formats(schema: &mut JsonObject) {
    schema.retain(|key, value| key != "format" || !value.is_string());
    for value in schema.values_mut() {
        match value {
            Value::Object(inner) => remove_formats(inner),
            Value::Array(list) => list.iter_mut().filter_map(Value::as_object_mut).for_each(remove_formats),
            _ => {}
        }
    }
}

/// All of them. What one tool does no other one does.
pub(crate) const TOOLS: &[ToolEntry] = &[
    ToolEntry {
        name: "analyse",
        title: "Analyse a position",
        description: "What a position is worth and how to go on: the best move, or several, each with its score and line, and the \
                      chances to win, draw and lose.",
        parameters: analyse::PARAMETERS,
        priority: 1,
        tells_progress: true,
        result: schema_of::<analyse::AnalyseResult>,
        begin: analyse::begin,
    },
    ToolEntry {
        name: "compare_moves",
        title: "Compare moves",
        description: "Which of two to eight moves in a position is better, by how many points, and what is wrong with the \
                      others where that can be proved.",
        parameters: compare_moves::PARAMETERS,
        priority: 1,
        tells_progress: true,
        result: schema_of::<compare_moves::CompareResult>,
        begin: compare_moves::begin,
    },
    ToolEntry {
        name: "explain_move",
        title: "Explain a move",
        description: "How good one move is in a position, what kind of move it is (best, mistake, blunder and so on), why it is \
                      bad where playing its line proves that, and what was better.",
        parameters: explain_move::PARAMETERS,
        priority: 1,
        tells_progress: false,
        result: schema_of::<explain_move::ExplainResult>,
        begin: explain_move::begin,
    },
    ToolEntry {
        name: "review_game",
        title: "Review a game",
        description: "A whole game of chess, as PGN: the accuracy of both players, a label for each move, the mistakes with \
                      better lines and reasons, and what the laws have to say.",
        parameters: review_game::PARAMETERS,
        priority: 0,
        tells_progress: true,
        result: schema_of::<review_game::ReviewResult>,
        begin: review_game::begin,
    },
    ToolEntry {
        name: "mate",
        title: "Prove a mate",
        description: "Is there a mate in so many moves? Yes with the line, no with certainty, or unknown if the search did not \
                      come to an end.",
        parameters: mate::PARAMETERS,
        priority: 1,
        tells_progress: false,
        result: schema_of::<mate::MateResult>,
        begin: mate::begin,
    },
    ToolEntry {
        name: "tablebase",
        title: "Ask endgame tables",
        description: "The certain result of a position with few pieces, and of each of its moves, by Syzygy endgame tables if the \
                      server has them; positions that the rules decide need none.",
        parameters: tablebase::PARAMETERS,
        priority: 2,
        tells_progress: false,
        result: schema_of::<tablebase::TablebaseResult>,
        begin: tablebase::begin,
    },
    ToolEntry {
        name: "rules",
        title: "Ask the rules",
        description: "What the laws of chess say of a position: the legal moves, check, checkmate, stalemate, draws that may be \
                      claimed, whether it is dead, and which side could still mate, as it matters when a flag falls. No \
                      evaluation.",
        parameters: rules::PARAMETERS,
        priority: 2,
        tells_progress: false,
        result: schema_of::<rules::RulesResult>,
        begin: rules::begin,
    },
];
