// A server for the tests: files of a few folders, on the loopback address.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("../", import.meta.url));
const TYPES = {
  ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm",
  ".css": "text/css", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json",
};

/** Serves the folder `web` or another, with the headers that make a page cross-origin isolated or without. */
export async function serve({ isolated, root = here, change = (_, body) => body }) {
  const server = createServer(async (request, response) => {
    const asked = normalize(new URL(request.url, "http://localhost").pathname);
    const path = asked.endsWith("/") ? `${asked}index.html` : asked;
    try {
      const body = change(path, await readFile(join(root, path)));
      response.setHeader("Content-Type", TYPES[extname(path)] ?? "application/octet-stream");
      if (isolated) {
        response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
      }
      response.end(body);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => (server.closeAllConnections(), server.close()) };
}
