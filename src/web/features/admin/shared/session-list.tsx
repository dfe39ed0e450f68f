import { MonitorIcon, SmartphoneIcon } from "lucide-react";
import type { AccountSession } from "#contract/accounts/people.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Skeleton } from "#web/components/ui/states.tsx";
import { dayWords, sinceWords } from "./moments.ts";

/** Lists sessions. Each shows its device and has a button that ends it. */
export function SessionList({
  sessions,
  isBusy,
  onEnd,
}: {
  /** Undefined while loading. */
  sessions: readonly AccountSession[] | undefined;
  isBusy: boolean;
  onEnd: (id: string) => void;
}) {
  if (sessions === undefined) return <Skeleton className="h-14 w-full" />;
  if (sessions.length === 0) return <p className="text-ink-11">Not signed in anywhere.</p>;
  return (
    <ul className="divide-y divide-line">
      {sessions.map((session) => {
        const Icon = /iPhone|iPad|Android/.test(session.device) ? SmartphoneIcon : MonitorIcon;
        return (
          <li key={session.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
            <Icon aria-hidden="true" className="size-5 shrink-0 text-ink-11" />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {session.device}
                {session.isCurrent ? <Badge tone="lamp">This session</Badge> : null}
              </p>
              <p className="text-ink-11">
                {`Last seen ${sinceWords(session.lastSeenAt)}, signed in ${dayWords(session.createdAt)}`}
              </p>
            </div>
            <Button
              size="small"
              disabled={isBusy}
              aria-label={`End session: ${session.device}`}
              onClick={() => onEnd(session.id)}
            >
              End session
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
