import { ChevronDownIcon } from "lucide-react";
import type { Webhook } from "#contract/site/webhooks.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { buttonClass } from "#web/components/ui/button.tsx";
import { Menu } from "#web/components/ui/menu.tsx";
import type { Column } from "../shared/data-table.tsx";
import { webhookMessages as messages } from "./messages.ts";

export function webhookColumns(actions: {
  edit: (webhook: Webhook) => void;
  showLog: (webhook: Webhook) => void;
  toggle: (webhook: Webhook) => void;
  remove: (webhook: Webhook) => void;
}): Column<Webhook>[] {
  return [
    {
      id: "url",
      title: messages.url,
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
        <Badge tone={isEnabled ? "done" : "neutral"}>
          {isEnabled ? messages.on : messages.off}
        </Badge>
      ),
    },
    {
      id: "figures",
      title: messages.logTitle,
      cell: ({ delivered, failed }) => (
        <span className="tabular text-ink-11">{messages.figures(delivered, failed)}</span>
      ),
    },
    {
      id: "actions",
      title: "Actions",
      cell: (webhook) => (
        <div className="flex">
          <Menu
            label={`${messages.manage} ${webhook.url}`}
            triggerClassName={buttonClass({ size: "small" })}
            trigger={
              <>
                {messages.manage}
                <ChevronDownIcon aria-hidden="true" className="size-3.5" />
              </>
            }
            entries={[
              { label: messages.log, onSelect: () => actions.showLog(webhook) },
              { label: messages.edit, onSelect: () => actions.edit(webhook) },
              {
                label: webhook.isEnabled ? messages.disable : messages.enable,
                onSelect: () => actions.toggle(webhook),
              },
              { label: messages.remove, isDanger: true, onSelect: () => actions.remove(webhook) },
            ]}
          />
        </div>
      ),
    },
  ];
}
