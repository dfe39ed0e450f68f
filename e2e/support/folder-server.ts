import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";

const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".m3u8": "application/vnd.apple.mpegurl",
  ".mp4": "video/mp4",
};

interface FolderServer extends AsyncDisposable {
  url: string;
}

/** Serves a folder and additional files and pages with byte ranges. */
export async function serveFolder(
  folder: string,
  extra: { files: Record<string, string>; pages: Record<string, string> },
): Promise<FolderServer> {
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "/", "http://localhost").pathname;
    const page = extra.pages[name];
    if (page !== undefined) {
      response.writeHead(200, { "content-type": "text/html" }).end(page);
      return;
    }
    const file = extra.files[name] ?? path.join(folder, path.normalize(name));
    stat(file).then(
      ({ size }) => {
        const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
        const start = Number(range?.[1] ?? 0);
        const end = Math.min(size - 1, range?.[2] ? Number(range[2]) : size - 1);
        if (start > end) return response.writeHead(416).end();
        response.writeHead(range === null ? 200 : 206, {
          "content-type": types[path.extname(file)] ?? "application/octet-stream",
          "content-length": end - start + 1,
          "accept-ranges": "bytes",
          ...(range === null ? {} : { "content-range": `bytes ${start}-${end}/${size}` }),
        });
        return createReadStream(file, { start, end }).pipe(response);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
