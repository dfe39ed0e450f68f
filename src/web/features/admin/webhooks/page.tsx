import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { PlusIcon, WebhookIcon } from "lucide-react";
import { useState } from "react";
import type { Webhook } from "#contract/site/webhooks.ts";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { adminHandle } from "../shared/admin-handle.ts";
import { DataTable } from "../shared/data-table.tsx";
import { notify } from "../shared/notices.tsx";
import { EmptyIntro } from "../shared/empty-intro.tsx";
import { PageHeader } from "../shared/page-header.tsx";
import { changeWebhook, removeWebhook, webhooksKey, webhooksQuery } from "./api/webhook-calls.ts";
import { DeliveriesDialog } from "./deliveries-dialog.tsx";
import { webhookMessages as messages } from "./messages.ts";
import { SecretShown } from "./secret-shown.tsx";
import { webhookColumns } from "./webhook-columns.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { QueryError } from "../shared/query-error.tsx";

export const handle = adminHandle(messages.title);

type Open =
  | { kind: "form"; webhook: Webhook | null }
  | { kind: "log"; webhook: Webhook }
  | { kind: "secret"; secret: string };

export function Component() {
  const client = useQueryClient();
  const list = useQuery(webhooksQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const onSettled = () => void client.invalidateQueries({ queryKey: webhooksKey });
  const switching = useMutation({
    mutationFn: ({ id, isEnabled }: Webhook) => changeWebhook(id, { isEnabled: !isEnabled }),
    meta: { failure: messages.saveFailed },
    onSettled,
  });
  const removing = useMutation({
    mutationFn: ({ id }: Webhook) => removeWebhook(id),
    onSuccess: () => notify.success(messages.removed),
    meta: { failure: messages.removeFailed },
    onSettled,
  });
  const remove = async (webhook: Webhook) => {
    const options = { confirmLabel: messages.remove, isDanger: true };
    if (await confirmAction(messages.askRemove(webhook.url), options)) removing.mutate(webhook);
  };

  return (
    <>
      <PageHeader title={messages.title} note={messages.note}>
        <Button kind="primary" onClick={() => setOpen({ kind: "form", webhook: null })}>
          <PlusIcon aria-hidden="true" className="size-4" />
          {messages.add}
        </Button>
      </PageHeader>
      {list.isError ? (
        <QueryError message={messages.loadFailed} query={list} />
      ) : (
        <DataTable
          label={messages.title}
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
              title={messages.empty}
              text={messages.emptyHint}
              example={messages.emptyExample}
              docs="docs/webhooks.md"
            >
              <Button onClick={() => setOpen({ kind: "form", webhook: null })}>
                {messages.addFirst}
              </Button>
            </EmptyIntro>
          }
        />
      )}
      {open?.kind === "form" ? (
        <WebhookDialog
          webhook={open.webhook}
          onCreated={(secret) => setOpen({ kind: "secret", secret })}
          onClose={close}
        />
      ) : null}
      {open?.kind === "log" ? <DeliveriesDialog webhook={open.webhook} onClose={close} /> : null}
      {open?.kind === "secret" ? <SecretShown secret={open.secret} onClose={close} /> : null}
    </>
  );
}
