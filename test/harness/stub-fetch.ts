/** Request that a component has sent. */
interface SentRequest {
  method: string;
  /** Path with its query. */
  url: string;
  /** Parsed JSON, or what was sent if it isn't JSON. */
  body: unknown;
}

/**
 * Response to a request: a value that is sent as JSON, a `Response`, or an `Error` for a lost
 * connection. May be a promise, or a function that returns one of them.
 */
export type Reply = unknown;

const readBody = (body: BodyInit | null | undefined): unknown =>
  typeof body === "string" ? JSON.parse(body) : (body ?? null);

/** Rejects when a request is aborted. */
const abortOf = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_resolve, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason));
  });

/** Response of the server to a failed request. */
export const failure = (status: number, message?: string, code = "internal"): Response =>
  Response.json(message === undefined ? {} : { code, message }, { status });

/**
 * Responds to the requests of a component test. Keys are a method and a path, with or without its
 * query, such as `GET /api/tags`. All other requests fail the test (`test/clean-document.ts`).
 */
export function stubFetch(replies: Record<string, Reply>) {
  const sent: SentRequest[] = [];
  const refuse = globalThis.fetch;
  globalThis.fetch = async (target, init) => {
    const { href, pathname, search, origin } = new URL(
      target instanceof Request ? target.url : target,
      window.location.href,
    );
    const path =
      origin === window.location.origin ? pathname : href.slice(0, href.length - search.length);
    const method = init?.method ?? "GET";
    const key = [`${method} ${path}${search}`, `${method} ${path}`].find((one) => one in replies);
    if (key === undefined) return refuse(target, init);
    const request = { method, url: path + search, body: readBody(init?.body) };
    sent.push(request);
    const given = replies[key];
    const reply: unknown = await Promise.race([
      typeof given === "function" ? given(request) : given,
      abortOf(init?.signal),
    ]);
    if (reply instanceof Error) throw reply;
    return reply instanceof Response ? reply.clone() : Response.json(reply);
  };
  return {
    /** Requests that have been sent, in order. */
    sent,
    /** Sent requests with this method and path, without the query. */
    sentTo: (key: string) =>
      sent.filter(({ method, url }) => `${method} ${url.split("?")[0]}` === key),
    /** Replaces the response to a request. */
    reply: (key: string, reply: Reply) => void (replies[key] = reply),
  };
}
