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
    isServed: true,
    place: "place.program",
    hasThreads: true,
    isInstallable: false,
  };
}
