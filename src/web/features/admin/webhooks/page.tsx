import { useMutation, useQuery } from "@tanstack/react-query";
import { PlusIcon, WebhookIcon, ChevronDownIcon } from "lucide-react";
import { useState } from "react";
import type { Webhook } from "#contract/site/webhooks.ts";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { Badge } from "#web/components/ui/badge.tsx";
import { Menu } from "#web/components/ui/menu.tsx";
import { adminHandle } from "../shared/admin-page.ts";
import { CopyDialog } from "../shared/copy-dialog.tsx";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { EmptyIntro } from "../shared/empty-intro.tsx";
import { PageHeader } from "../shared/page-header.tsx";
import { changeWebhook, removeWebhook, webhooksKey, webhooksQuery } from "./calls.ts";
import { DeliveriesDialog } from "./deliveries-dialog.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";

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
          <p className="font-medium break-all">{url}</p>
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
