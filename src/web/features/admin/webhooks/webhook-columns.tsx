import { ChevronDownIcon } from "lucide-react";
import type { Webhook } from "#contract/site/webhooks.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { buttonClass } from "#web/components/ui/button.tsx";
import { Menu } from "#web/components/ui/menu.tsx";
import type { Column } from "../shared/data-table.tsx";

export function webhookColumns(actions: {
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
