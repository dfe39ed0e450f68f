import { useMutation, useQuery } from "@tanstack/react-query";
import type { Delivery, Webhook } from "#contract/site/webhooks.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { countOf } from "#web/lib/format/english-counts.ts";
import { QueryError } from "../shared/query-error.tsx";
import { momentWords, sinceWords } from "../shared/moments.ts";
import { deliveriesQuery, sendAgain, webhooksKey, deliveryNames } from "./calls.ts";

const tones = { waiting: "lamp", delivered: "done", failed: "danger" } as const;

function describe({ state, attempts, problem, nextAt, createdAt }: Delivery): string {
  const isNext = state === "waiting" && attempts > 0;
  const parts = [
    sinceWords(createdAt),
    countOf(attempts, "attempt"),
    problem,
    isNext ? `next attempt on ${momentWords(nextAt)}` : null,
  ];
  return parts.filter((part) => part !== null).join(" · ");
}

/** Log of requests to a webhook and their results. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const list = useQuery(deliveriesQuery(webhook.id));
  const sending = useMutation({
    mutationFn: ({ id }: Delivery) => sendAgain(id),
    meta: {
      success: "Message queued",
      failure: "Failed to resend the message",
      refreshes: webhooksKey,
    },
  });
  return (
    <Dialog
      onClose={onClose}
      size="large"
      title="Messages"
      description="Up to 100 messages from the last 30 days. Failed messages are retried up to 8 times within 20 hours."
      footer={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p className="mb-2 break-all text-ink-11">{webhook.url}</p>
      {list.isError ? <QueryError message="Failed to load the messages" query={list} /> : null}
      {list.data?.length === 0 ? <p>No messages yet.</p> : null}
      <ul className="divide-y divide-line">
        {list.data?.map((delivery) => (
          <li key={delivery.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
            <div className="min-w-0 flex-1 basis-52">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {delivery.event}
                <Badge tone={tones[delivery.state]}>{deliveryNames[delivery.state]}</Badge>
              </p>
              <p className="break-words text-ink-11">{describe(delivery)}</p>
            </div>
            {delivery.state === "waiting" && delivery.attempts === 0 ? null : (
              <Button
                size="small"
                disabled={sending.isPending}
                onClick={() => sending.mutate(delivery)}
              >
                Resend
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
