import { pageTokenHeaders } from "../page-token.ts";
import { translated } from "../language/translated.ts";

/** Response with a failure status. `message` comes from the server and can be shown. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: { path: string; message: string }[];
  /** Message from the server, or null if the response has none. */
  readonly serverMessage: string | null;

  constructor(status: number, body: unknown) {
    const fields = new Map<string, unknown>(
      typeof body === "object" && body !== null ? Object.entries(body) : [],
    );
    const message = fields.get("message");
    const serverMessage = typeof message === "string" && message !== "" ? message : null;
    super(serverMessage ?? `The server responded with ${status}`);
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

/** Returns `?a=1&b=2` without empty values, or "" if all are empty. */
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
  /** Sent as JSON, except files. */
  body?: unknown;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  keepalive?: boolean;
  /** Key of a request that creates something. Repeated, the server sends the first response. */
  idempotencyKey?: string;
  /** True to receive videos with their original title and description instead of translations. */
  keepsAllLanguages?: boolean;
}

/** Milliseconds after which a request without a response fails. */
const responseLimitMs = 60_000;

let first: Promise<unknown> | null = null;

/**
 * Sends the first request that may set the visitor cookie (a change or the list of ads) alone, and
 * lets the others wait for its response. Two at once would create two visitors and lose what the
 * first one saved.
 */
export function inTurn<T>(send: () => Promise<T>): Promise<T> {
  if (first !== null) return first.then(send);
  const sent = send();
  first = sent.catch(() => {});
  return sent;
}

async function send(path: string, options: CallOptions): Promise<Response> {
  const headers: Record<string, string> = {
    accept: "application/json",
    ...pageTokenHeaders(),
    ...options.headers,
  };
  const { body } = options;
  const isFile = body instanceof Blob;
  if (body !== undefined && !isFile) headers["content-type"] = "application/json";
  const { method = "GET", signal, keepalive, idempotencyKey } = options;
  if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
  const go = () => {
    const ends = isFile ? [] : [AbortSignal.timeout(responseLimitMs)];
    return fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : isFile ? body : JSON.stringify(body),
      signal: AbortSignal.any(signal === undefined ? ends : [signal, ...ends]),
      keepalive,
    });
  };
  // Files may be large, and their senders are signed in, so other requests don't wait for them.
  const response = await (method === "GET" || isFile ? go() : inTurn(go));
  if (!response.ok) throw new ApiError(response.status, await readJson(response));
  return response;
}

const inPageLanguage = (_key: string, value: unknown): unknown =>
  value instanceof Object ? translated(value) : value;

async function readJson(
  response: Response,
  revive?: (key: string, value: unknown) => unknown,
): Promise<unknown> {
  try {
    return JSON.parse(await response.text(), revive);
  } catch {
    return null;
  }
}

/** Schema of the contract. In the browser, only `parse` exists (setup/light-schemas.ts). */
export interface ResponseSchema<T> {
  parse(value: unknown): T;
}

/**
 * Sends a request and checks the response.
 * @throws ApiError on a failure, TypeError if offline, DOMException TimeoutError without a response.
 */
export async function call<T>(
  path: string,
  schema: ResponseSchema<T>,
  options: CallOptions = {},
): Promise<T> {
  const response = await send(path, options);
  return schema.parse(
    await readJson(response, options.keepsAllLanguages ? undefined : inPageLanguage),
  );
}

/** Sends a request whose response body isn't needed. */
export async function callForEffect(path: string, options: CallOptions = {}): Promise<void> {
  await send(path, options);
}
