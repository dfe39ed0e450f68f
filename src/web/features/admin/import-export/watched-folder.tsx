import { useMutation, useQuery } from "@tanstack/react-query";
import type { WatchedFolder as Folder } from "#contract/videos/watched-folder.ts";
import { Badge, type BadgeTone } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { countOf } from "#web/lib/format/english-counts.ts";
import { momentWords, sinceWords } from "../shared/moments.ts";
import { Section } from "../shared/section.tsx";
import { clearFailedFiles, watchedKey, watchedQuery } from "./calls.ts";

type WatchedFile = Folder["files"][number];

const badges: Record<WatchedFile["state"], { tone: BadgeTone; text: string }> = {
  waiting: { tone: "neutral", text: "Waiting" },
  done: { tone: "done", text: "Imported" },
  failed: { tone: "danger", text: "Failed" },
};

function FileRow({ path, state, note, videoId, at }: WatchedFile) {
  const { tone, text } = badges[state];
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-64">
        {videoId === null ? (
          <p dir="auto" className="break-all">
            {path}
          </p>
        ) : (
          <a
            href={`/admin/videos/${videoId}`}
            dir="auto"
            className="break-all underline-offset-4 hover:underline"
          >
            {path}
          </a>
        )}
        {note === null ? null : (
          <p className="wrap-anywhere text-ink-11 first-letter:uppercase">{note}</p>
        )}
      </div>
      <span className="flex items-center gap-4 text-ink-11">
        <time dateTime={at} className="tabular">
          {momentWords(at)}
        </time>
        <Badge tone={tone}>{text}</Badge>
      </span>
    </li>
  );
}

/** Shows when the watched folder was last checked, and the state of its files. */
export function WatchedFolder() {
  const { data } = useQuery(watchedQuery);
  const clearing = useMutation({
    mutationFn: clearFailedFiles,
    meta: { failure: "Failed to clear the list", refreshes: watchedKey },
  });
  if (data?.isOn !== true) return null;
  const { lookedAt, problem, waiting, failed, files } = data;
  return (
    <Section
      title="Watched folder"
      hint="Imports videos that appear in the server's import folder. Turn it on or off in Settings."
    >
      {problem === null ? null : <p className="break-words text-danger-text">{problem}</p>}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="text-ink-11">
          {lookedAt === null ? "Not checked yet" : `Last checked ${sinceWords(lookedAt)}`}
          {` · ${countOf(waiting, "file")} waiting · ${failed.toLocaleString()} failed`}
        </p>
        {failed === 0 ? null : (
          <Button disabled={clearing.isPending} onClick={() => clearing.mutate()}>
            Clear failed files
          </Button>
        )}
      </div>
      {failed === 0 ? null : (
        <p className="text-ink-11">
          Failed files are moved to the folder “failed”, each with a text file that says why. Files
          that couldn't be moved are tried again after you clear the list.
        </p>
      )}
      {files.length === 0 ? null : (
        <ul className="divide-y divide-line">
          {files.map((file) => (
            <FileRow key={`${file.path} ${file.at}`} {...file} />
          ))}
        </ul>
      )}
    </Section>
  );
}
