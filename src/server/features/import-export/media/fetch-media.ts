import type { IncomingMessage } from "node:http";
import { AppError } from "#server/lib/app-error.ts";
import { Refused, type GuardedRequest } from "#server/lib/outbound/guarded-request.ts";
import { tooLargeMessage } from "#server/storage/receive-file.ts";

const maxRedirects = 5;
/** Time without data after which the download fails. */
const silenceMs = 30_000;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Downloads the content of an address. Checks each redirect like the first address.
 * @throws AppError invalid with the reason for a failure; too_large.
 */
export async function fetchMedia(
  request: GuardedRequest,
  address: URL,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<AsyncIterable<Uint8Array>> {
  const response = await follow(request, address, signal);
  const announced = Number(response.headers["content-length"] ?? 0);
  if (announced > maxBytes) {
    response.destroy();
    throw new AppError("too_large", tooLargeMessage(maxBytes));
  }
  response.setTimeout(silenceMs, () => {
    response.destroy(new AppError("invalid", "address: the server stopped sending data"));
  });
  return readBody(response, signal);
}

async function* readBody(
  response: IncomingMessage,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* response;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    const message = "address: the connection was lost during the download";
    throw new AppError("invalid", message, { cause: error });
  }
}

async function follow(
  request: GuardedRequest,
  address: URL,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  let url: URL | null = address;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    // Limits only the wait for the headers, because large bodies take long.
    const head = new AbortController();
    const timer = setTimeout(() => head.abort(), silenceMs);
    let response;
    try {
      response = await request(url, {
        headers: { accept: "video/*, application/octet-stream;q=0.9, */*;q=0.5" },
        signal: AbortSignal.any([signal, head.signal]),
      });
    } catch (error) {
      signal.throwIfAborted();
      throw new AppError("invalid", problemOf(error), { cause: error });
    } finally {
      clearTimeout(timer);
    }
    const status = response.statusCode ?? 0;
    if (status === 200) return response;
    response.destroy();
    const { location } = response.headers;
    if (!redirects.has(status) || location === undefined) {
      throw new AppError("invalid", `address: the server responded with ${status}`);
    }
    url = URL.parse(location, url ?? undefined);
  }
  throw new AppError("invalid", `address: more than ${maxRedirects} redirects`);
}

/** Returns the problem of a row whose address can't be requested. */
export const problemOf = (error: unknown): string =>
  error instanceof Refused
    ? "address: isn't on the public internet"
    : "address: couldn't reach the server";
