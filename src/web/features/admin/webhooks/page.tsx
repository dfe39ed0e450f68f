import { useMutation, useQuery, queryOptions } from "@tanstack/react-query";
import { PlusIcon, WebhookIcon, ChevronDownIcon } from "lucide-react";
import { useState } from "react";
import {
  webhookEvents,
  createdWebhook,
  deliveries,
  webhooks,
  type Webhook,
  type WebhookEvent,
  type Delivery,
  type CreatedWebhook,
  type WebhookBody,
  type WebhookPatch,
  type DeliveryState,
} from "#contract/site/webhooks.ts";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { Badge } from "#web/components/ui/badge.tsx";
import { Menu } from "#web/components/ui/menu.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { countOf } from "#web/lib/format/english-counts.ts";
import { CopyDialog } from "../shared/copy-dialog.tsx";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { EmptyIntro } from "../shared/empty-intro.tsx";
import { PageHeader, QueryError, adminHandle } from "../shared/admin-page.tsx";
import { changedFields } from "../shared/bind-fields.ts";
import { CheckList } from "../shared/check-list.tsx";
import { ModalForm } from "../shared/modal-form.tsx";
import { momentWords, sinceWords } from "../shared/moments.ts";
import { adminCall, adminSend } from "../shared/admin-api.ts";

const eventNames: Record<WebhookEvent, string> = {
  "video.ready": "Video is ready to play",
  "video.published": "Video published",
  "video.removed": "Video removed",
  "video.failed": "Video processing failed",
  "report.opened": "Visitor sent a report",
  "pass.created": "Member pass created",
  "pass.used": "Member pass used on a new device",
  "pass.ended": "Member pass expired or revoked",
};

const deliveryNames: Record<DeliveryState, string> = {
  waiting: "Waiting",
  delivered: "Delivered",
  failed: "Failed",
};

const webhooksKey = ["admin", "webhooks"] as const;

const webhooksQuery = queryOptions({
  queryKey: webhooksKey,
  queryFn: () => adminCall("/api/admin/webhooks", webhooks),
});

const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: [...webhooksKey, id],
    queryFn: () => adminCall(`/api/admin/webhooks/${id}/deliveries`, deliveries),
    refetchInterval: 5000,
  });

const addWebhook = (body: WebhookBody): Promise<CreatedWebhook> =>
  adminCall("/api/admin/webhooks", createdWebhook, { method: "POST", body });

const changeWebhook = (id: string, body: WebhookPatch): Promise<void> =>
  adminSend(`/api/admin/webhooks/${id}`, { method: "PUT", body });

const removeWebhook = (id: string): Promise<void> =>
  adminSend(`/api/admin/webhooks/${id}`, { method: "DELETE" });

const sendAgain = (deliveryId: string): Promise<void> =>
  adminSend(`/api/admin/webhooks/deliveries/${deliveryId}/again`, { method: "POST" });

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
function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
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
      description="Up to 100 messages from the last 30 days. Failed messages are retried up to 7 times within 21 hours."
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

/** Dialog for the URL and events of a webhook. `webhook` is null for a new one. */
function WebhookDialog({
  webhook,
  onCreated,
  onClose,
}: {
  webhook: Webhook | null;
  onCreated: (secret: string) => void;
  onClose: () => void;
}) {
  const before = {
    url: webhook?.url ?? "",
    events: webhookEvents.filter((each) => webhook === null || webhook.events.includes(each)),
  };
  const [url, setUrl] = useState(before.url);
  const [events, setEvents] = useState<readonly WebhookEvent[]>(before.events);
  const form = { url: url.trim(), events: [...events] };
  const changes = changedFields(form, before);
  const saving = useMutation({
    mutationFn: async (): Promise<string | null> => {
      if (webhook === null) return (await addWebhook(form)).secret;
      await changeWebhook(webhook.id, changes);
      return null;
    },
    onSuccess: (secret) => (secret === null ? onClose() : onCreated(secret)),
    meta: {
      failure: webhook === null ? "Failed to add the webhook" : "Failed to save the webhook",
      refreshes: webhooksKey,
    },
  });
  return (
    <ModalForm
      title={webhook === null ? "Add webhook" : "Edit webhook"}
      submitLabel={webhook === null ? "Add webhook" : "Save"}
      busyLabel={webhook === null ? "Adding..." : "Saving..."}
      isBusy={saving.isPending}
      canSubmit={form.url !== "" && events.length > 0}
      isDirty={Object.keys(changes).length > 0}
      onSubmit={() => saving.mutateAsync()}
      onClose={onClose}
    >
      <TextField
        label="URL"
        hint="Use HTTPS, because messages include videos that aren't public yet."
        type="url"
        required
        maxLength={2000}
        placeholder="https://example.com/hooks/kinora"
        value={url}
        error={issueOf(saving.error, "url")}
        onChange={(event) => setUrl(event.target.value)}
      />
      <CheckList
        legend="Events"
        options={webhookEvents.map((value) => ({ value, label: eventNames[value] }))}
        chosen={events}
        onChosen={setEvents}
      />
    </ModalForm>
  );
}

function webhookColumns(actions: {
  edit: (webhook: Webhook) => void;
  showLog: (webhook: Webhook) => void;
  toggle: (webhook: Webhook) => void;
  remove: (webhook: Webhook) => void;
}): Column<Webhook>[] {
  return [
    {
      id: "url",
      title: "URL",
      cell: ({ url, events }) => (
        <div className="min-w-0">
          <p className="line-clamp-3 font-medium break-all">{url}</p>
          <p className="text-ink-11">{events.join(", ")}</p>
        </div>
      ),
    },
    {
      id: "state",
      title: "Status",
      cell: ({ isEnabled }) => (
        <Badge tone={isEnabled ? "done" : "neutral"}>{isEnabled ? "On" : "Off"}</Badge>
      ),
    },
    {
      id: "figures",
      title: "Messages",
      cell: ({ delivered, failed }) => (
        <span className="tabular text-ink-11">{`${delivered.toLocaleString()} delivered, ${failed.toLocaleString()} failed today`}</span>
      ),
    },
    {
      id: "actions",
      title: "Actions",
      cell: (webhook) => (
        <div className="flex">
          <Menu
            label={`Manage ${webhook.url}`}
            triggerClassName={buttonClass({ size: "small" })}
            trigger={
              <>
                Manage
                <ChevronDownIcon aria-hidden="true" className="size-3.5" />
              </>
            }
            entries={[
              { label: "Log", onSelect: () => actions.showLog(webhook) },
              { label: "Edit webhook", onSelect: () => actions.edit(webhook) },
              {
                label: webhook.isEnabled ? "Turn off" : "Turn on",
                onSelect: () => actions.toggle(webhook),
              },
              { label: "Remove", isDanger: true, onSelect: () => actions.remove(webhook) },
            ]}
          />
        </div>
      ),
    },
  ];
}

export const handle = adminHandle("Webhooks");

type Open =
  | { kind: "form"; webhook: Webhook | null }
  | { kind: "log"; webhook: Webhook }
  | { kind: "secret"; secret: string };

export function Component() {
  const list = useQuery(webhooksQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const switching = useMutation({
    mutationFn: ({ id, isEnabled }: Webhook) => changeWebhook(id, { isEnabled: !isEnabled }),
    meta: { failure: "Failed to save the webhook", refreshes: webhooksKey },
  });
  const removing = useMutation({
    mutationFn: ({ id }: Webhook) => removeWebhook(id),
    meta: {
      success: "Webhook removed",
      failure: "Failed to remove the webhook",
      refreshes: webhooksKey,
    },
  });
  const remove = async (webhook: Webhook) => {
    if (
      await confirmAction(
        `Remove the webhook for ${webhook.url}? Its log will be deleted.`,
        "Remove",
        "danger",
      )
    )
      removing.mutate(webhook);
  };

  return (
    <>
      <PageHeader title="Webhooks" note="Notify your own programs about events on the site">
        <Button kind="primary" onClick={() => setOpen({ kind: "form", webhook: null })}>
          <PlusIcon aria-hidden="true" className="size-4" />
          Add webhook
        </Button>
      </PageHeader>
      <DataTable
        query={list}
        failed="Failed to load the webhooks"
        label="Webhooks"
        columns={webhookColumns({
          edit: (webhook) => setOpen({ kind: "form", webhook }),
          showLog: (webhook) => setOpen({ kind: "log", webhook }),
          toggle: (webhook) => switching.mutate(webhook),
          remove: (webhook) => void remove(webhook),
        })}
        rows={list.data}
        rowId={({ id }) => id}
        skeletonRows={2}
        empty={
          <EmptyIntro
            Icon={WebhookIcon}
            title="No webhooks yet."
            text="Webhooks send signed messages to your own server when something happens on the site."
            example="Send video.ready to https://example.com/hook, and your newsletter can announce each new video."
            docs="docs/webhooks.md"
          >
            <Button onClick={() => setOpen({ kind: "form", webhook: null })}>
              Add the first webhook
            </Button>
          </EmptyIntro>
        }
      />
      {open?.kind === "form" ? (
        <WebhookDialog
          webhook={open.webhook}
          onCreated={(secret) => setOpen({ kind: "secret", secret })}
          onClose={close}
        />
      ) : null}
      {open?.kind === "log" ? <DeliveriesDialog webhook={open.webhook} onClose={close} /> : null}
      {open?.kind === "secret" ? (
        <CopyDialog
          title="Webhook secret"
          description="Use it to verify signatures. Copy it now. It won't be shown again."
          value={open.secret}
          className="font-mono"
          copyLabel="Copy"
          messages={{ copied: "Secret copied", copyFailed: "Couldn't copy the secret" }}
          onClose={close}
        />
      ) : null}
    </>
  );
}
