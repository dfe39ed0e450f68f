import { changesOf, type Changes } from "#server/db/change-tags.ts";
import type { Logger } from "#server/lib/logger.ts";

/**
 * Long enough for every process to drop its own copies, so that the CDN doesn't fetch stale ones.
 */
const delayMs = 500;
const retryMs = 1000;
/** Takes about two minutes with doubling delays. */
const maxTries = 8;
const timeoutMs = 5000;

/** Reports changes to a CDN that may have cached copies. */
export function createCdnPurge(deps: {
  /** Address that receives `POST {"tags": [...]}` or `{"everything": true}`. */
  url: string;
  logger: Logger;
  fetch?: typeof fetch;
}) {
  const { url, logger, fetch = globalThis.fetch } = deps;
  let waiting: Changes = new Set();
  let tries = 0;
  let timer: NodeJS.Timeout | null = null;
  let isSending = false;
  let isStopped = false;

  const isEmpty = () => waiting !== "everything" && waiting.size === 0;

  /** Adds changes and returns at once. Changes in quick succession become one request. */
  function add(changes: Changes): void {
    waiting =
      waiting === "everything" || changes === "everything"
        ? "everything"
        : changesOf(new Set([...waiting, ...changes]));
    if (!isSending) sendIn(delayMs);
  }

  function sendIn(ms: number): void {
    if (timer !== null || isStopped || isEmpty()) return;
    timer = setTimeout(() => {
      timer = null;
      void send();
    }, ms);
    timer.unref();
  }

  async function send(): Promise<void> {
    const sent = waiting;
    waiting = new Set();
    isSending = true;
    let nextMs = delayMs;
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(sent === "everything" ? { everything: true } : { tags: [...sent] }),
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The CDN responded with ${response.status}`);
      tries = 0;
    } catch (error) {
      tries += 1;
      logger.warn({ err: error, tries }, "couldn't report a change to the CDN");
      nextMs = retryMs * 2 ** (tries - 1);
      if (tries < maxTries) add(sent);
      else tries = 0;
    } finally {
      isSending = false;
    }
    sendIn(nextMs);
  }

  return {
    add,
    stop(): void {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
