import { queryOptions, useQuery } from "@tanstack/react-query";
import { CircleCheckIcon, RefreshCwIcon } from "lucide-react";
import { doctorReport, type Finding } from "#contract/site/doctor.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Skeleton } from "#web/components/ui/states.tsx";
import { countOf } from "#web/lib/format/english-counts.ts";
import { adminCall } from "../shared/admin-api.ts";
import { PageHeader, QueryError, adminHandle } from "../shared/admin-page.tsx";
import { momentWords } from "../shared/moments.ts";

export const handle = adminHandle("System check");

const doctorQuery = queryOptions({
  queryKey: ["admin", "doctor"],
  queryFn: () => adminCall("/api/admin/doctor", doctorReport),
  // Opening the page again runs the checks again.
  gcTime: 0,
});

/** Results of `npm run doctor`, with problems first. */
export function Component() {
  const report = useQuery(doctorQuery);
  const findings = report.data?.findings;
  const todo = [
    ...(findings?.filter(({ state }) => state === "failure") ?? []),
    ...(findings?.filter(({ state }) => state === "warning") ?? []),
  ];
  const summary =
    todo.length === 0 ? "Everything looks good" : `${countOf(todo.length, "issue")} to fix`;
  const note =
    report.data === undefined
      ? null
      : `${summary}, checked on ${momentWords(report.data.checkedAt)} (${report.data.host})`;

  return (
    <>
      <PageHeader title="System check" note={report.isLoadingError ? undefined : note}>
        <Button onClick={() => void report.refetch()} disabled={report.isFetching}>
          <RefreshCwIcon aria-hidden="true" className="size-4" />
          {report.isFetching ? "Checking..." : "Check again"}
        </Button>
      </PageHeader>
      {report.isError ? <QueryError message="Failed to check the system" query={report} /> : null}
      {report.isPending ? (
        <div role="status" aria-label="Checking..." className="grid gap-2">
          {Array.from({ length: 5 }, (_, at) => (
            <Skeleton key={at} className="h-20 w-full rounded-lg" />
          ))}
        </div>
      ) : null}
      {findings === undefined ? null : (
        <>
          {todo.length === 0 ? null : (
            <ul className="mb-6 grid gap-2">
              {todo.map((finding) => (
                <Todo key={`${finding.about} ${finding.says}`} {...finding} />
              ))}
            </ul>
          )}
          <PassedList findings={findings.filter(({ state }) => state === "ok")} />
        </>
      )}
    </>
  );
}

const asSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
const nameOf = (about: string): string => (about === "ffmpeg" ? about : asSentence(about));
/** Formats a result as a sentence. URLs keep their case. */
const factOf = (says: string): string => (says.startsWith("http") ? says : asSentence(says));

function Todo({ about, state, says, means, advice }: Finding) {
  return (
    <li className="rounded-lg bg-ink-2 p-4">
      <div className="mb-1.5 flex items-center gap-3">
        <h2 className="text-sm font-semibold">{nameOf(about)}</h2>
        <Badge tone={state === "failure" ? "danger" : "lamp"}>
          {state === "failure" ? "Failure" : "Warning"}
        </Badge>
      </div>
      <p className="break-words">{factOf(says)}</p>
      <p className="text-ink-11">{means}</p>
      {advice === null ? null : <p className="mt-1.5 font-medium break-words">{advice}</p>}
    </li>
  );
}

function PassedList({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <section aria-labelledby="passed">
      <h2 id="passed" className="mb-1 text-sm font-semibold">
        Passed
      </h2>
      <ul>
        {findings.map(({ about, says, means }) => (
          <li
            key={`${about} ${says}`}
            className="grid gap-x-6 border-b border-line py-2.5 md:grid-cols-[10rem_minmax(0,1fr)]"
          >
            <h3 className="flex h-5 items-center gap-2 font-medium">
              <CircleCheckIcon aria-hidden="true" className="size-4 shrink-0 text-done-text" />
              {nameOf(about)}
            </h3>
            <div className="min-w-0 max-md:ps-6">
              <p className="break-words">{factOf(says)}</p>
              <p className="text-ink-11">{means}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
