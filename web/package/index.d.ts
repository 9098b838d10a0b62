/** A running engine. */
export interface Engine {
  /** Sends a line of UCI, such as `go depth 12`. */
  send(line: string): void;
  /** Has each line of the engine's output passed on. Returns what ends that. */
  listen(hear: (line: string) => void): () => void;
  /** Sends a line, and resolves with the first line of output that begins so, as `bestmove`. */
  ask(line: string, beginning: string): Promise<string>;
  /** Resolves when the engine has ended by `quit`; in pages never. */
  readonly ended: Promise<unknown>;
  /** Ends the engine at once. */
  terminate(): void;
}

export interface Options {
  /**
   * `best` (the default): with threads where they can be had, which in pages takes cross-origin isolation. `single`: never
   * more than one thread.
   */
  build?: "best" | "single";
}

/** Starts an engine in a worker. */
export function createEngine(options?: Options): Promise<Engine>;
