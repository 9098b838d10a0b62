//! What the protocol asks for: who this is, which tools there are, and calls of them.

use std::sync::Arc;
use std::time::Duration;

use rmcp::ErrorData;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult, ErrorCode,
    Implementation, InitializeRequestParams, InitializeResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use serve::Fault;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, interval};

use crate::Stop;
use crate::call::{Call, Event, PieceJob, Pieces, Reply};
use crate::parameters::{Values, schema};
use crate::pool::Pool;
use crate::tools::{TOOLS, ToolEntry};

/// For the model.
const INSTRUCTIONS: &str = "\
Chess, by the engine Vancura and the laws of chess. Never guess what these tools can tell: whether a move is legal, \
what a position is worth, whether there is a mate. Positions are given as a FEN or startpos, with the moves made from there. \
Scores and chances in results are White's: cp in hundredths of a pawn, where 100 means that White wins half of such games, or \
mate in so many moves; points are what White may expect from the game, 0 to 1. Losses are the mover's.";

/// The longest error in words: it repeats what the client sent.
const MAX_ERROR: usize = 1000;

/// Answers a client.
pub(crate) struct Server {
    pool: Arc<Pool>,
}

impl Server {
    pub const fn new(pool: Arc<Pool>) -> Self {
        Self { pool }
    }

    /// Cuts a call into pieces and hands them to the workers.
    fn begin(&self, tool: &ToolEntry, request: CallToolRequestParams, call: &Call) -> Result<(), Fault> {
        let arguments = request.arguments.unwrap_or_default();
        let values = Values::read(tool.parameters, arguments)?;
        let Pieces { all, size } = (tool.begin)(&values, &self.pool)?;
        let share = size / all.len().max(1);
        let jobs = all.into_iter().map(|piece| PieceJob::new(call.clone(), piece, tool.priority, share));
        if self.pool.push(jobs.collect()) { Ok(()) } else { Err(Fault::of_line("too many calls wait already")) }
    }
}

/// Ends a call when nobody waits for it any more, for whatever reason.
struct Waiting<'a> {
    pool: &'a Pool,
    stop: Stop,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.pool.cancel(&self.stop);
    }
}

/// Waits for the reply of a call, and passes its progress on; where there is none to be told, the seconds that it takes.
async fn reply(
    tool: &ToolEntry,
    mut events: UnboundedReceiver<Event>,
    context: &RequestContext<RoleServer>,
) -> Result<Result<Reply, Fault>, ErrorData> {
    let (began, mut seconds) = (Instant::now(), interval(Duration::from_secs(1)));
    loop {
        let event = tokio::select! {
            event = events.recv() => event,
            () = context.ct.cancelled() => return Err(ErrorData::internal_error("cancelled", None)),
            _ = seconds.tick(), if !tool.tells_progress => {
                Some(Event::Progress { done: began.elapsed().as_secs_f64(), total: None })
            }
        };
        match event {
            Some(Event::Progress { done, total }) => {
                if let Some(token) = context.meta.get_progress_token() {
                    let progress = ProgressNotificationParam::new(token, done);
                    let progress = total.into_iter().fold(progress, ProgressNotificationParam::with_total);
                    // Who does not hear of it hears of nothing else either.
                    let _ = context.peer.notify_progress(progress).await;
                }
            }
            Some(Event::Done(reply)) => return Ok(reply),
            None => return Err(ErrorData::internal_error("the server ends", None)),
        }
    }
}

fn result_of(reply: Result<Reply, Fault>) -> CallToolResult {
    match reply {
        Ok(Reply { text, data }) => {
            let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
            result.structured_content = Some(data);
            result
        }
        Err(fault) => {
            let text: String = fault.to_string().chars().take(MAX_ERROR).collect();
            CallToolResult::error(vec![ContentBlock::text(text)])
        }
    }
}

/// Refuses what comes before the client has introduced itself.
fn is_introduced(context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
    if context.peer.peer_info().is_some() || context.meta.protocol_version().is_some() {
        Ok(())
    } else {
        Err(ErrorData::invalid_request("initialize comes first", None))
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let this = Implementation::new("vancura", env!("CARGO_PKG_VERSION")).with_title("Vancura");
        ServerConfig::new(capabilities).with_server_info(this).with_instructions(INSTRUCTIONS)
    }

    async fn initialize(
        &self,
        mut request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let result = self.negotiate_initialize(&request)?;
        // What follows is by the version that was agreed on.
        request.protocol_version = result.protocol_version.clone();
        context.peer.set_peer_info(request);
        Ok(result)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        is_introduced(&context)?;
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(described).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        is_introduced(&context)?;
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == request.name) else {
            let names: Vec<_> = TOOLS.iter().map(|tool| tool.name).collect();
            return Err(ErrorData::invalid_params(format!("there is no such tool, but {}", names.join(", ")), None));
        };
        let (sender, events) = unbounded_channel();
        let call = Call::new(sender, context.meta.get_progress_token().is_some());
        let waiting = Waiting { pool: &self.pool, stop: Arc::clone(&call.stop) };
        let begun = self.begin(tool, request, &call);
        // Only the pieces can still say something.
        drop(call);
        let reply = match begun {
            Ok(()) => reply(tool, events, &context).await?,
            Err(fault) => Err(fault),
        };
        drop(waiting);
        Ok(result_of(reply).into())
    }

    /// What is no request that the SDK knows, or one of those with other parameters than it must have.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        match &request.method[..] {
            "initialize" | "tools/call" | "tools/list" | "ping" => {
                Err(ErrorData::invalid_params("the parameters are not what this method takes", None))
            }
            _ => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "there is no such method", None)),
        }
    }
}

/// A tool as clients see it.
fn described(tool: &ToolEntry) -> Tool {
    // It changes nothing, and asks nobody outside.
    let annotations = ToolAnnotations::with_title(tool.title).read_only(true).idempotent(true).open_world(false);
    let described = Tool::new(tool.name, tool.description, Arc::new(schema(tool.parameters)));
    described.with_title(tool.title).with_raw_output_schema(Arc::new((tool.result)())).with_annotations(annotations)
}
