import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { OperatorError } from "#server/lib/app-error.ts";

const timeoutMs = 4000;

/**
 * Checks that a server responds at the address of the object storage. Any response is enough. Makes
 * only one attempt, because the client's own attempts take up to two minutes if nothing responds.
 * @throws OperatorError in one line.
 */
export async function checkEndpoint(endpoint: string): Promise<void> {
  const { request } = endpoint.startsWith("https:") ? https : http;
  const signal = AbortSignal.timeout(timeoutMs);
  const head = request(endpoint, { method: "HEAD", agent: false, signal }).end();
  try {
    await once(head, "response");
  } catch (error) {
    const reason = signal.aborted ? `no response within ${timeoutMs / 1000} s` : describe(error);
    throw unreachable(endpoint, reason, error);
  } finally {
    head.destroy();
  }
}

/** Error for an address that doesn't respond now but may respond later. */
export class UnreachableStorageError extends OperatorError {}

export const unreachable = (endpoint: string, reason: string, cause: unknown) =>
  new UnreachableStorageError(
    `S3_ENDPOINT: no object storage responds at ${endpoint} (${reason}).`,
    {
      cause,
    },
  );

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error ? String(error.code) : error.message;
}
