// What the page holds compressed: a few games together, and the engine.

/** Whether this browser can unpack it. */
export const canUnpack = () => typeof DecompressionStream === "function";

/**
 * The bytes that an element holds, compressed by gzip and in Base64.
 * @param {Element} element
 */
export async function unpacked(element) {
  const packed = Uint8Array.from(atob(element.textContent ?? ""), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/**
 * The games of a pack by their numbers: each as its page and its data.
 * @param {string} number of the pack
 * @returns {Promise<Map<number, { page: string, data: any }>>}
 */
export async function gamesOfPack(number) {
  const element = document.getElementById(`pack-${number}`);
  if (!element) throw new Error(`there is no pack ${number}`);
  const text = new TextDecoder().decode(await unpacked(element));
  /** @type {[number[], string[], any[]]} */
  const [games, pages, data] = JSON.parse(text);
  return new Map(games.map((game, index) => [game, { page: pages[index], data: data[index] }]));
}
