import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { webhookEvents, type Webhook, type WebhookEvent } from "#contract/site/webhooks.ts";
import { TextField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { CheckList } from "../shared/check-list.tsx";
import { ModalForm } from "../shared/modal-form.tsx";
import { addWebhook, changeWebhook, webhooksKey, eventNames } from "./calls.ts";

/** Dialog for the URL and events of a webhook. `webhook` is null for a new one. */
export function WebhookDialog({
  webhook,
  onCreated,
  onClose,
}: {
  webhook: Webhook | null;
  onCreated: (secret: string) => void;
  onClose: () => void;
}) {
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [events, setEvents] = useState<readonly WebhookEvent[]>(
    webhook === null
      ? webhookEvents
      : webhookEvents.filter((each) => webhook.events.includes(each)),
  );
  const saving = useMutation({
    mutationFn: async (): Promise<string | null> => {
      const body = { url: url.trim(), events: [...events] };
      if (webhook === null) return (await addWebhook(body)).secret;
      await changeWebhook(webhook.id, body);
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
      canSubmit={url.trim() !== "" && events.length > 0}
      isDirty={url !== (webhook?.url ?? "")}
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
