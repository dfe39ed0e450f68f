// oxlint-disable kinora/sql -- Its table has no other user.
import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { Db } from "#server/db/connection.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Logger } from "#server/lib/logger.ts";
import { targetOf } from "./request-target.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * True for calls that create something. If the header `Idempotency-Key` is repeated within 24
     * hours, the second response is the first one's. Not for responses with a secret, because they
     * are stored.
     */
    isIdempotent?: boolean;
  }
  interface FastifyRequest {
    /** Claim of this request on its key; null without a key. */
    idempotencyClaim: { id: Buffer; timer: NodeJS.Timeout } | null;
  }
}

const header = "idempotency-key";
const keyFormat = /^[\w-]{16,100}$/;
/** Interval at which a running request renews its claim. */
const renewMs = 5_000;
/** Age after which a claim belongs to a process that no longer runs. */
const staleS = 20;
/** Time to wait for the first request, and how often its response is read. */
const waitMs = 50_000;
const pollMs = 200;
/** Responses of calls that create something are small. */
const maxBodyChars = 1024 * 1024;

/** A key belongs to a user and a call, so that no user can read another's responses. */
const idOf = (request: FastifyRequest, key: string): Buffer =>
  createHash("sha256")
    .update(`${request.user?.id}\n${request.method}\n${targetOf(request.raw).path}\n${key}`)
    .digest();

/**
 * Answers repeated requests with the first response: browsers and proxies send a request again if
 * its response got lost, and people press twice. Failed requests leave no trace, so they can be
 * repeated. Call it after the guards, because it reads the user.
 */
export function registerIdempotency(app: FastifyInstance, deps: { db: Db; logger: Logger }): void {
  const { db, logger } = deps;
  app.decorateRequest("idempotencyClaim", null);

  app.addHook("preParsing", async (request, reply, payload) => {
    const key = request.headers[header];
    const isUsed = request.routeOptions.config?.isIdempotent === true && request.user !== null;
    if (!isUsed || key === undefined) return payload;
    if (typeof key !== "string" || !keyFormat.test(key)) {
      throw new AppError("invalid", "Idempotency-Key must have 16 to 100 letters, digits, _ or -.");
    }
    const id = idOf(request, key);
    const first = await claim(db, id);
    if (first === null) {
      const renew = () =>
        void sql`update idempotent_requests set claimed_at = now() where id = ${id}`
          .execute(db)
          .catch((err: unknown) => logger.warn({ err }, "couldn't renew an idempotency key"));
      request.idempotencyClaim = { id, timer: setInterval(renew, renewMs) };
      // The response is stored, and later sent to clients that accept other encodings.
      delete request.headers["accept-encoding"];
      return payload;
    }
    // The body isn't needed, but a client may wait until it is read.
    payload.resume();
    await reply
      .status(first.status)
      .type("application/json; charset=utf-8")
      .header("idempotent-replayed", "true")
      .send(first.body);
    return payload;
  });

  // Stored before the response is sent, so that a lost response is never a lost result. It also runs
  // if the client has left in the meantime.
  app.addHook("onSend", async (request, reply, payload) => {
    const { idempotencyClaim: own } = request;
    if (own === null) return payload;
    request.idempotencyClaim = null;
    clearInterval(own.timer);
    const isKept =
      reply.statusCode < 300 && typeof payload === "string" && payload.length <= maxBodyChars;
    await (
      isKept
        ? sql`update idempotent_requests set status = ${reply.statusCode}, body = ${payload}
          where id = ${own.id}`
        : sql`delete from idempotent_requests where id = ${own.id}`
    ).execute(db);
    return payload;
  });
}

/**
 * Claims a key for this request, or waits for the response of the request that has it.
 * @returns the earlier response, or null if the key was free.
 * @throws AppError conflict if the earlier request still runs.
 */
async function claim(db: Db, id: Buffer): Promise<{ status: number; body: string } | null> {
  for (let waitedMs = 0; waitedMs <= waitMs; waitedMs += pollMs) {
    const { rows } = await sql<{ status: number | null; body: string | null; isMine: boolean }>`
      with expired as (
        delete from idempotent_requests where created_at < now() - interval '24 hours'
      ), mine as (
        insert into idempotent_requests as r (id) values (${id})
        on conflict (id) do update set claimed_at = now()
          where r.status is null and r.claimed_at < now() - ${staleS} * interval '1 second'
        returning id
      )
      select null::int as status, null as body, true as "isMine" from mine
      union all
      select status, body, false from idempotent_requests
      where id = ${id} and not exists (select from mine)`.execute(db);
    const [row] = rows;
    if (row?.isMine === true) return null;
    if (row?.status != null && row.body !== null) return { status: row.status, body: row.body };
    await wait(pollMs);
  }
  throw new AppError("conflict", "The same request is still being processed. Try again later.");
}
