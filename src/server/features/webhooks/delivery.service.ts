import { createHmac } from "node:crypto";
import type { Db } from "#server/db/connection.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import type { Clock } from "#server/lib/clock.ts";
import { addCounter, type Metrics } from "#server/lib/metrics/metrics.ts";
import { Refused, type GuardedRequest } from "#server/lib/outbound/guarded-request.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import * as repository from "./deliveries.repository.ts";

const timeoutMs = 10_000;
/** Longer than an attempt may take. If a worker dies, others take over its messages. */
const leaseMs = 60_000;
/**
 * Delays before the next attempts, in seconds. After the last one, about 20 hours in total, the
 * message fails.
 */
const delaysS = [10, 60, 300, 1800, 7200, 21_600, 43_200];
const retentionMs = 30 * 24 * 3600 * 1000;

/** Returns `t=SECONDS,v1=HEX`: the HMAC-SHA256 of `SECONDS.BODY` with the webhook's secret. */
function signatureOf(secret: string, seconds: number, body: string): string {
  const hash = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${hash}`;
}

/** Delivers webhook messages. */
export function createDeliveryService(deps: {
  db: Db;
  clock: Clock;
  queue: JobQueue;
  settings: SettingsService;
  request: GuardedRequest;
  metrics: Metrics;
}) {
  const { db, clock, queue, settings, request } = deps;
  const attempts = addCounter(
    deps.metrics,
    "kinora_webhook_attempts_total",
    "Webhook delivery attempts, by result.",
    [{ result: "delivered" }, { result: "failed" }],
  );

  async function attempt(
    delivery: repository.DueDelivery,
    siteUrl: string,
    signal: AbortSignal,
  ): Promise<{ status: number | null; problem: string | null }> {
    const { id, event, data, createdAt } = delivery;
    const message = { id, event, createdAt: createdAt.toISOString(), site: siteUrl, data };
    const body = JSON.stringify(message);
    const seconds = Math.floor(clock.now() / 1000);
    try {
      const response = await request(URL.parse(delivery.url), {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          "content-length": String(Buffer.byteLength(body)),
          "kinora-event": event,
          "kinora-delivery": id,
          "kinora-signature": signatureOf(delivery.secret, seconds, body),
        },
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      response.destroy();
      const status = response.statusCode ?? 0;
      const isTaken = status >= 200 && status < 300;
      return { status, problem: isTaken ? null : `The response was ${status}.` };
    } catch (error) {
      return { status: null, problem: problemOf(error, signal) };
    }
  }

  async function send(delivery: repository.DueDelivery, siteUrl: string, signal: AbortSignal) {
    const { status, problem } = await attempt(delivery, siteUrl, signal);
    // A shutdown isn't the receiver's fault. Another worker gets the message after the lease ends.
    signal.throwIfAborted();
    attempts.inc({ result: problem === null ? "delivered" : "failed" });
    if (problem === null) {
      const delivered = { state: "delivered" as const, status, problem };
      await repository.updateDelivery(db, delivery.id, {
        ...delivered,
        delivered_at: clock.date(),
      });
      return;
    }
    const delayS = delaysS[delivery.attempts - 1];
    if (delayS === undefined) {
      await repository.updateDelivery(db, delivery.id, { state: "failed", status, problem });
      return;
    }
    const next_at = new Date(clock.now() + delayS * 1000);
    await repository.updateDelivery(db, delivery.id, {
      state: "waiting",
      status,
      problem,
      next_at,
    });
    await queue.enqueue(db, "webhooks.deliver", {}, { startAfterS: delayS });
  }

  return {
    /** Sends all messages that are due: one at a time to each webhook. */
    async sendDue(signal: AbortSignal): Promise<void> {
      const sending = new Set<Promise<void>>();
      for (;;) {
        signal.throwIfAborted();
        const now = clock.date();
        const leaseEnd = new Date(now.getTime() + leaseMs);
        const due = await db
          .transaction()
          .execute((trx) => repository.takeDue(trx, { now, leaseEnd }));
        const siteUrl = await settings.siteUrl();
        for (const delivery of due) {
          const sent = send(delivery, siteUrl, signal).finally(() => sending.delete(sent));
          sending.add(sent);
        }
        if (sending.size === 0) break;
        await Promise.race(sending);
      }
      await repository.deleteDeliveriesBefore(db, new Date(clock.now() - retentionMs));
    },

    /** Queues the job if a message is due. */
    async sendSoon(): Promise<void> {
      if (await repository.hasDue(db, clock.date()))
        await queue.enqueue(db, "webhooks.deliver", {});
    },
  };
}

function problemOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof Refused) return "The address is not on the public internet.";
  const isTimeout = error instanceof Error && /^(Timeout|Abort)Error$/.test(error.name);
  if (isTimeout && !signal.aborted) return `There was no response within ${timeoutMs / 1000} s.`;
  return "Couldn't reach the address.";
}
