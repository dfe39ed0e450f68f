import type { FastifyInstance } from "fastify";

/** More than the refusals of all honest visitors, and too few to be felt by others. */
const freePerS = 200;
const delayMs = 250;
const maxDelayed = 1000;

/** Slows down clients that send their next request as soon as the last one is refused. */
export interface RefusalDelay {
  /**
   * Calls `respond` at once or, after 200 calls in a second, 250 ms later. Calls `overflow` at once
   * where a thousand wait already.
   */
  pass(respond: () => void, overflow: () => void): void;
}

export function createRefusalDelay(): RefusalDelay {
  let free = freePerS;
  let countedAt = performance.now();
  let delayed = 0;

  function takeFree(): boolean {
    const at = performance.now();
    free = Math.min(freePerS, free + ((at - countedAt) / 1000) * freePerS);
    countedAt = at;
    if (free < 1) return false;
    free -= 1;
    return true;
  }

  return {
    pass(respond, overflow) {
      if (takeFree()) return respond();
      if (delayed >= maxDelayed) return overflow();
      delayed += 1;
      setTimeout(() => {
        delayed -= 1;
        respond();
      }, delayMs);
    },
  };
}

/** Delays error responses while there are many. Call it after `registerTurns`: they hold no turn. */
export function registerSlowRefusals(app: FastifyInstance): void {
  const delay = createRefusalDelay();
  app.addHook("onSend", (_request, reply, payload, done) => {
    const send = () => done(null, payload);
    if (reply.statusCode < 400) return send();
    delay.pass(send, send);
  });
}
