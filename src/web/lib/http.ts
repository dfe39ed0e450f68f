import type { Shape } from "./shape.ts";

/** A call that the server answered with a failure. `message` is the server's, made for people. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: { path: string; message: string }[];
  /** What the server said in words, or null where its answer held none. */
  readonly serverMessage: string | null;

  constructor(status: number, body: unknown) {
    const fields = new Map<string, unknown>(
      typeof body === "object" && body !== null ? Object.entries(body) : [],
    );
    const message = fields.get("message");
    const serverMessage = typeof message === "string" && message !== "" ? message : null;
    super(serverMessage ?? `The server answered ${status}`);
    this.name = "ApiError";
    this.status = status;
    this.serverMessage = serverMessage;
    const code = fields.get("code");
    this.code = typeof code === "string" ? code : "unknown";
    const issues = fields.get("issues");
    this.issues = (Array.isArray(issues) ? issues : []).flatMap((issue: unknown) =>
      typeof issue === "object" && issue !== null && "path" in issue && "message" in issue
        ? [{ path: String(issue.path), message: String(issue.message) }]
        : [],
    );
  }
}

export type QueryValue = string | number | boolean | null | undefined;

/** `?a=1&b=2` without the empty values; "" where nothing remains. */
export function queryString(query: Record<string, QueryValue>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

interface CallOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON; a file as it is. */
  body?: unknown;
  signal?: AbortSignal;
  keepalive?: boolean;
}

let first: Promise<unknown> | null = null;

/**
 * The first change that a page asks of the server goes alone, the others wait for its answer: it
 * brings the cookie that tells visitors apart. Two at once would make two visitors of one, and what
 * the first of them saved would be lost.
 */
export function inTurn<T>(send: () => Promise<T>): Promise<T> {
  if (first !== null) return first.then(send);
  const sent = send();
  first = sent.catch(() => {});
  return sent;
}

async function send(path: string, options: CallOptions): Promise<Response> {
  const headers: Record<string, string> = { accept: "application/json" };
  const { body } = options;
  const isFile = body instanceof Blob;
  if (body !== undefined && !isFile) headers["content-type"] = "application/json";
  const { method = "GET", signal, keepalive } = options;
  const go = () =>
    fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : isFile ? body : JSON.stringify(body),
      signal,
      keepalive,
    });
  // Nobody waits for a file: it may be big, and whoever sends one is known.
  const response = await (method === "GET" || isFile ? go() : inTurn(go));
  if (!response.ok) throw new ApiError(response.status, await readJson(response));
  return response;
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/** Calls the server and checks its answer. Throws ApiError on a failure, TypeError off-line. */
export async function call<T>(
  path: string,
  shape: Shape<T>,
  options: CallOptions = {},
): Promise<T> {
  const response = await send(path, options);
  return shape(await readJson(response), "answer");
}

/** A call whose answer holds nothing of interest. */
export async function callForEffect(path: string, options: CallOptions = {}): Promise<void> {
  await send(path, options);
}
