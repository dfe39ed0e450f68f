import { useQuery } from "@tanstack/react-query";
import { CircleCheckIcon, CircleIcon } from "lucide-react";
import { useState } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { firstStepsKey, readStored, writeStored } from "#web/lib/device-storage.ts";
import { settingsQuery } from "../settings/calls.ts";
import { useUploads } from "../upload/queue-context.tsx";
import { useCan } from "../shared/admin-page.tsx";
import { publishedQuery, systemQuery, totalsQuery } from "./calls.ts";
import { Panel } from "./panel.tsx";

const stepClass =
  "flex min-h-11 w-full items-center gap-2 rounded-md px-2 text-start hover:bg-ink-3";

/** First steps for a new site, shown until all are done or the user dismisses them. */
export function FirstSteps() {
  const canEdit = useCan()("settings.edit");
  const [isDismissed, setDismissed] = useState(() => readStored(firstStepsKey) !== null);
  const isWanted = canEdit && !isDismissed;
  const settings = useQuery({ ...settingsQuery, enabled: isWanted }).data;
  const uploads = useUploads();
  const totals = useQuery(totalsQuery).data;
  const system = useQuery(systemQuery).data;
  const published = useQuery({ ...publishedQuery, enabled: isWanted }).data;
  if (!isWanted) return null;
  if (settings === undefined || totals === undefined || system === undefined) return null;
  if (published === undefined) return null;
  const steps = [
    {
      label: "Upload a video",
      open: () => uploads.setOpen(true),
      isDone: totals.totalVideos > 0,
    },
    {
      label: "Publish a video",
      href: "/admin/videos?state=draft",
      isDone: published.total > 0,
    },
    {
      label: "Name the site",
      href: "/admin/settings#section-basic-information",
      isDone: settings.siteName !== null,
    },
    {
      label: "Add a logo",
      href: "/admin/settings#section-branding",
      isDone: settings.logoUrl !== null,
    },
    {
      label: "Set the site's address",
      href: "/admin/settings#section-basic-information",
      isDone: settings.siteUrl !== null,
    },
    { label: "Make a backup", href: "/admin/system", isDone: system.lastBackupAt !== null },
  ];
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  if (doneCount === steps.length) return null;
  const dismiss = () => {
    setDismissed(true);
    writeStored(firstStepsKey, "1");
  };
  return (
    <Panel
      title="First steps"
      aside={
        <span className="flex items-baseline gap-2">
          {`${doneCount} of ${steps.length} done`}
          <Button size="small" kind="ghost" onClick={dismiss}>
            Dismiss
          </Button>
        </span>
      }
    >
      <ul className="grid gap-1 sm:grid-cols-2 xl:grid-cols-3">
        {steps.map(({ label, isDone, ...target }) => {
          const Icon = isDone ? CircleCheckIcon : CircleIcon;
          const content = (
            <>
              <Icon
                aria-hidden="true"
                className={isDone ? "size-4.5 text-done-text" : "size-4.5 text-ink-11"}
              />
              <span className={isDone ? "text-ink-11 line-through" : "font-medium"}>{label}</span>
              {isDone ? <span className="sr-only">Done</span> : null}
            </>
          );
          return (
            <li key={label}>
              {"href" in target ? (
                <a href={target.href} className={stepClass}>
                  {content}
                </a>
              ) : (
                <button type="button" className={stepClass} onClick={target.open}>
                  {content}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
