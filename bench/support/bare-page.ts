import { once } from "node:events";
import { createServer, type Server } from "node:http";

export interface BarePage {
  /** URL of a page with only this file. */
  urlOf(mediaUrl: string): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Smallest page that plays a video: `<video autoplay muted>` and the file, both from memory. Any
 * additional time is the site's own cost.
 */
export async function startBarePage(): Promise<BarePage> {
  const files = new Map<string, Buffer>();
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://bare");
    const file = files.get(url.pathname);
    if (file === undefined) {
      const source = url.searchParams.get("file") ?? "";
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(
        `<!doctype html><title>Bare</title><video autoplay muted playsinline src="${source}"></video>`,
      );
      return;
    }
    const [, from = "0", to = ""] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "") ?? [];
    const start = Number(from);
    const end = to === "" ? file.length - 1 : Number(to);
    const isRange = request.headers.range !== undefined;
    response.writeHead(isRange ? 206 : 200, {
      "content-type": "video/mp4",
      "accept-ranges": "bytes",
      "content-length": end - start + 1,
      "cache-control": "public, max-age=31536000, immutable",
      ...(isRange ? { "content-range": `bytes ${start}-${end}/${file.length}` } : {}),
    });
    response.end(file.subarray(start, end + 1));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    async urlOf(mediaUrl) {
      const { pathname } = new URL(mediaUrl);
      if (!files.has(pathname)) {
        files.set(pathname, Buffer.from(await (await fetch(mediaUrl)).arrayBuffer()));
      }
      return `http://127.0.0.1:${port}/?file=${encodeURIComponent(pathname)}`;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
