import { boughtTicket } from "#contract/accounts/account.ts";
import { ticketMs, ticketParameter } from "#contract/accounts/page-token.ts";
import { ApiError, call, callForEffect, type ResponseSchema } from "#web/lib/api/http.ts";
import { newKey } from "#web/lib/new-key.ts";
import { hasPageToken } from "#web/lib/page-token.ts";
import { sendReadable } from "./readable-file.ts";
import { withSession } from "./session-renewal.ts";

/** Time after a response in which the same request is a second press of the same button. */
const pressMs = 2_000;
/** Keys of requests that run, that got no response, or that ended a moment ago. */
const keys = new Map<string, string>();

/**
 * Sends a request that creates something with a key, so that a double press or a repetition after a
 * lost response creates it once.
 */
async function sendOnce<T>(
  path: string,
  options: Options,
  run: (options: Options) => Promise<T>,
): Promise<T> {
  if (options?.body instanceof Blob) return sendReadable(options.body, () => run(options));
  if (options?.method !== "POST") return run(options);
  const request = `${path}\n${JSON.stringify(options.body)}`;
  const idempotencyKey = keys.get(request) ?? newKey();
  keys.set(request, idempotencyKey);
  const forget = () => {
    setTimeout(() => {
      if (keys.get(request) === idempotencyKey) keys.delete(request);
    }, pressMs);
  };
  try {
    const response = await run({ ...options, idempotencyKey });
    forget();
    return response;
  } catch (error) {
    if (error instanceof ApiError) forget();
    throw error;
  }
}

type Options = Parameters<typeof callForEffect>[1];

/**
 * Sends an admin request, checks the response, and asks to sign in again if the session has ended.
 */
export function adminCall<T>(
  path: string,
  schema: ResponseSchema<T>,
  options?: Options,
): Promise<T> {
  return withSession(() =>
    sendOnce(path, options, (sent) => call(path, schema, { ...sent, keepsAllLanguages: true })),
  );
}

/** Like `adminCall`, for responses whose body isn't needed. */
export function adminSend(path: string, options: Options): Promise<void> {
  return withSession(() => sendOnce(path, options, (sent) => callForEffect(path, sent)));
}

let bought: { ticket: string; atMs: number } | null = null;

/**
 * Adds a ticket to an address that the browser requests without headers. The ticket is valid for at
 * least half of its time.
 */
export async function withTicket(path: string): Promise<string> {
  if (!hasPageToken()) return path;
  if (bought === null || performance.now() - bought.atMs > ticketMs / 2) {
    const atMs = performance.now();
    const { ticket } = await adminCall("/api/auth/ticket", boughtTicket, { method: "POST" });
    bought = { ticket, atMs };
  }
  return `${path}${path.includes("?") ? "&" : "?"}${ticketParameter}=${bought.ticket}`;
}

/** Forgets the ticket after a request with it was rejected, because its session has ended. */
export function dropTicket(): void {
  bought = null;
}
