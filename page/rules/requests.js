// Requests to the rules, in lines of JSON, and the answers to them, whatever carries both.

/** Turns `post`, which sends a line, into a function that asks; `take` is to be called with each answer. */
export function requester(post) {
  const waiting = new Map();
  let last = 0;
  let ended = null;
  /** Resolves with what was asked for, or rejects with the words of the refusal. */
  const ask = (request) =>
    new Promise((resolve, reject) => {
      if (ended) return reject(ended);
      const id = ++last;
      waiting.set(id, { resolve, reject });
      post(JSON.stringify({ ...request, id }));
    });
  const take = (line) => {
    const { id, ok, error } = JSON.parse(line);
    const request = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) request?.resolve(ok);
    else request?.reject(new Error(error));
  };
  /** Rejects all that is still waited for, and all that is asked from now on. */
  const fail = (reason) => {
    ended = new Error(reason);
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  return { ask, take, fail };
}
