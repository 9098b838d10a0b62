//! What the user may choose.

use clap::Args;
use serve::WorkerArguments;

/// How a program for language models is told of it, by example.
const EXPLANATION: &str = "\
A program for language models starts it, as it starts every server of the Model Context Protocol (MCP) on the
standard streams:

  {\"mcpServers\": {\"chess\": {\"command\": \"vancura\", \"args\": [\"mcp\"]}}}

It has seven tools: analyse, compare_moves, explain_move, review_game, mate, tablebase and rules. docs/mcp.md
tells of each. No tool reads or writes files; only --syzygy does.

Examples:
  vancura mcp < requests.jsonl
  vancura mcp --threads 2 --hash 64 --syzygy ~/syzygy < requests.jsonl";

/// Gives language models tools for chess, by the Model Context Protocol on the standard streams.
#[derive(Args, Debug)]
#[command(after_long_help = EXPLANATION)]
pub struct McpArguments {
    #[command(flatten)]
    pub(crate) searches: WorkerArguments,
}
