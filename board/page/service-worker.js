// Keeps the page, so that it works offline after the first visit, and gives it the two headers with which browsers allow
// threads. `make web` writes the version, which is another one whenever any of the files is.
const VERSION = "unversioned";
const CACHE = `vancura-board-${VERSION}`;
const PIECES = ["white", "black"].flatMap((color) =>
  ["king", "queen", "rook", "bishop", "knight", "pawn"].map((role) => `pieces/${color}-${role}.svg`));
const FILES = [
  "./", "app.js", "board-view.js", "dialogs.js", "dom.js", "engine.js", "game.js", "icon-maskable.svg", "icon.svg",
  "lines-view.js", "main.js", "manifest.webmanifest", "moves-view.js", "requests.js", "rules-worker.js", "rules.wasm",
  "setup.js", "store.js", "style.css", "uci.js", "wasm.js", "vendor/chessground.base.css", "vendor/chessground.min.js",
  "engine/vancura.js", "engine/vancura-single.wasm", "engine/vancura-threads.wasm", ...PIECES,
];

self.addEventListener("install", (event) => {
  // Not from the browser's own store, where a file of the last version may lie.
  const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const clean = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith("vancura-board-") && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
  };
  event.waitUntil(clean());
});

/** With the headers that make the page cross-origin isolated. */
function isolated(response) {
  if (response.type === "opaque" || response.status === 0) return response;
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  const answer = async () => {
    const isPage = request.mode === "navigate";
    const cache = await caches.open(CACHE);
    const kept = await cache.match(isPage ? "./" : request, { ignoreSearch: true });
    return isolated(kept ?? (await fetch(request)));
  };
  event.respondWith(answer());
});
