import { useQuery } from "@tanstack/react-query";
import { AuditLine } from "../../audit/audit-line.tsx";
import { videoHistoryQuery } from "../../audit/calls.ts";
import { momentWords } from "../../shared/moments.ts";

/** Audit log of a video. */
export function VideoHistory({ videoId }: { videoId: string }) {
  const { data } = useQuery(videoHistoryQuery(videoId));
  if (data === undefined || data.entries.length === 0) return null;
  return (
    <section aria-labelledby="history" className="mt-8">
      <h2 id="history" className="mb-2 font-semibold">
        History
      </h2>
      <ul className="divide-y divide-line">
        {data.entries.map((entry) => (
          <li key={entry.id} className="flex flex-wrap justify-between gap-x-6 py-2.5">
            <AuditLine entry={entry} />
            <time dateTime={entry.at} className="tabular text-ink-11">
              {momentWords(entry.at)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}
