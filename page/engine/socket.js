// The engine and the rules in the program that serves this page, over a WebSocket. A message that begins with a brace is
// for the rules or from them; all others are lines of UCI.
import { requester } from "../rules/requests.js";

/**
 * Connects. Rejects in words if the program does not answer.
 * @param {{ lost: () => void, failed?: (text: string) => void }} hears
 */
export async function connect({ lost }) {
  let isLost = false;
  const url = new URL("socket", document.baseURI);
  url.protocol = "ws:";
  const socket = new WebSocket(url);
  const { ask, take, fail } = requester((line) => socket.send(line));
  const listeners = new Set();
  socket.onmessage = ({ data }) => {
    if (data.startsWith("{")) take(data);
    else listeners.forEach((hear) => hear(data));
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error("The program that serves this page has ended. Start `vancura board` again."));
  });
  socket.onclose = () => {
    isLost = true;
    fail("the program has ended");
    lost();
  };
  return {
    ask,
    send: (line) => isLost || socket.send(line),
    listen: (hear) => listeners.add(hear),
    isLost: () => isLost,
    guest,
    isServed: true,
    place: "place.program",
    hasThreads: true,
    isInstallable: false,
  };
}

/**
 * An engine of another, which runs for as long as this connection is open. `told` hears in words why it has ended.
 * @param {string} id
 * @param {(reason: string) => void} told
 */
function guest(id, told) {
  const url = new URL("socket", document.baseURI);
  url.protocol = "ws:";
  url.searchParams.set("engine", id);
  const socket = new WebSocket(url);
  /** @type {string[]} */
  const early = [];
  const listeners = new Set();
  let [reason, isClosed] = ["", false];
  socket.onopen = () => early.splice(0).forEach((line) => socket.send(line));
  socket.onmessage = ({ data }) => {
    const [, fault] = /^info string error: (.*)/.exec(data) ?? [];
    if (fault) reason = fault;
    else for (const line of data.split("\n")) listeners.forEach((hear) => hear(line));
  };
  /** Rejects when it has ended. */
  const ended = new Promise((_, reject) => {
    socket.onclose = () => {
      if (isClosed) return;
      isClosed = true;
      told(reason);
      reject(new Error(reason));
    };
  });
  ended.catch(() => {});
  return {
    send: (line) => (socket.readyState === WebSocket.CONNECTING ? early.push(line) : socket.readyState === WebSocket.OPEN && socket.send(line)),
    listen: (hear) => listeners.add(hear),
    ended,
    close: () => {
      isClosed = true;
      socket.close();
    },
  };
}
