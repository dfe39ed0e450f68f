import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative } from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#server/lib/app-error.ts";
import type { App } from "#server/http/app.ts";

const types: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
  ".map": "application/json; charset=utf-8",
};

interface StaticFile {
  type: string;
  body: Buffer;
  br: Buffer | null;
  gzip: Buffer | null;
  isHashed: boolean;
}

/** Icons that browsers request by themselves, even from pages that link another one. */
const impliedIcons = ["/favicon.ico", "/apple-touch-icon.png"];

/**
 * Serves the built scripts, styles and icons from memory, with the build's brotli and gzip files.
 * Names under /assets/ contain a hash of the content and never change.
 * @param findFavicon returns the address of the site's own favicon, or null.
 */
export async function registerStaticFiles(
  app: App,
  clientDir: string,
  findFavicon: () => Promise<string | null>,
): Promise<void> {
  const files = new Map<string, StaticFile>();
  const entries = await readdir(clientDir, { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  for (const entry of entries) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const url = `/${relative(clientDir, path).replaceAll("\\", "/")}`;
    if (url.startsWith("/.")) continue;
    files.set(url, {
      type,
      body: await readFile(path),
      br: await readFile(`${path}.br`).catch(() => null),
      gzip: await readFile(`${path}.gz`).catch(() => null),
      isHashed: url.startsWith("/assets/"),
    });
  }

  const send = (url: string) => async (request: FastifyRequest, reply: FastifyReply) => {
    const file = files.get(url);
    if (file === undefined) throw new AppError("not_found", "File not found.");
    const favicon = impliedIcons.includes(url) ? await findFavicon() : null;
    if (favicon !== null) return reply.redirect(favicon);
    const accepted = request.headers["accept-encoding"] ?? "";
    const [body, encoding] =
      file.br !== null && accepted.includes("br")
        ? [file.br, "br"]
        : file.gzip !== null && accepted.includes("gzip")
          ? [file.gzip, "gzip"]
          : [file.body, null];
    if (encoding !== null) void reply.header("content-encoding", encoding);
    return reply
      .headers({
        "content-type": file.type,
        vary: "accept-encoding",
        // An embed in a sandboxed frame has no origin, so its scripts and fonts come from elsewhere.
        "access-control-allow-origin": "*",
        "cache-control": file.isHashed
          ? "public, max-age=31536000, immutable"
          : "public, max-age=3600",
      })
      .send(body);
  };

  const options = {
    config: { policy: "public", skipsReadLimit: true },
    schema: { hide: true },
  } as const;
  for (const url of files.keys()) {
    app.get(url, options, send(url));
  }
  app.get("/assets/*", options, send("/assets/unknown"));
}
