import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { AdminSystem } from "#contract/lists/admin-statistics.ts";
import { Skeleton } from "#web/components/ui/states.tsx";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { countOf } from "#web/lib/format/english-counts.ts";
import { useAdminEvents } from "../shared/admin-events.ts";
import { sinceWords } from "../shared/moments.ts";
import { useRemainingTime } from "../shared/use-remaining-time.ts";
import { systemKey, systemQuery } from "./calls.ts";
import { Panel } from "./panel.tsx";

function QueueList({ queue }: { queue: AdminSystem["queue"] }) {
  if (queue.videos.length === 0)
    return <p className="py-2 text-ink-11">Nothing is being processed.</p>;
  const rest = queue.processing + queue.finishing - queue.videos.length;
  return (
    <ul className="grid grid-cols-1 gap-2.5 py-1">
      {queue.videos.map((video) => (
        <QueueRow key={video.id} video={video} />
      ))}
      {rest > 0 ? <li className="text-ink-11">{`and ${rest.toLocaleString()} more`}</li> : null}
    </ul>
  );
}

function QueueRow({ video }: { video: AdminSystem["queue"]["videos"][number] }) {
  const percent = Math.round((video.progress ?? 0) * 100);
  const left = useRemainingTime(video.progress);
  const isPlaying = video.status === "ready";
  return (
    <li>
      <div className="mb-1 flex gap-3">
        <span className="min-w-0 flex-1">
          <bdi className="one-line">{video.title}</bdi>
        </span>
        <span className="tabular text-ink-11">
          {isPlaying ? `Ready · ${percent}%` : `${percent}%`}
        </span>
      </div>
      <progress
        className="meter w-full!"
        max={100}
        value={percent}
        aria-label={`Processing progress for ${video.title}`}
      />
      {left === null ? null : (
        <p className="text-xs text-ink-11">{isPlaying ? `${left} left` : `plays in ${left}`}</p>
      )}
    </li>
  );
}

function StorageFacts({ storage }: { storage: AdminSystem["storage"] }) {
  const used = storage.originalBytes + storage.renditionBytes;
  const facts = [
    { name: "Used", value: used },
    { name: "Originals", value: storage.originalBytes },
    { name: "Renditions", value: storage.renditionBytes },
    ...(storage.freeBytes === null ? [] : [{ name: "Free", value: storage.freeBytes }]),
  ];
  return (
    <>
      {storage.freeBytes === null ? null : (
        <progress
          className="meter my-2 w-full!"
          max={used + storage.freeBytes}
          value={used}
          aria-label="Storage used"
        />
      )}
      <dl className="tabular grid grid-cols-[repeat(auto-fit,minmax(min(10.5rem,100%),1fr))] gap-x-6 gap-y-1.5">
        {facts.map(({ name, value }) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-3">
            <dt className="text-ink-11">{name}</dt>
            <dd>{formatFileSize(value)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Shows the state of the watched import folder. */
function WatchedFolderPanel({ folder }: { folder: NonNullable<AdminSystem["watchedFolder"]> }) {
  const { lookedAt, problem, waiting, failed } = folder;
  return (
    <Panel
      title="Watched folder"
      aside={
        failed === 0 ? (
          <a href="/admin/import" className="hover:underline">
            Files
          </a>
        ) : (
          <a href="/admin/import" className="text-danger-text hover:underline">
            {`${failed.toLocaleString()} failed`}
          </a>
        )
      }
    >
      {problem === null ? null : <p className="py-1 break-words text-danger-text">{problem}</p>}
      <dl className="tabular grid gap-y-1.5 py-1">
        <div className="flex flex-wrap justify-between gap-x-3">
          <dt className="text-ink-11">Last checked</dt>
          <dd>{lookedAt === null ? "Never" : sinceWords(lookedAt)}</dd>
        </div>
        <div className="flex flex-wrap justify-between gap-x-3">
          <dt className="text-ink-11">Waiting</dt>
          <dd>{countOf(waiting, "file")}</dd>
        </div>
      </dl>
    </Panel>
  );
}

/** Shows the live processing queue, the storage use and the watched folder. */
export function SystemPanels() {
  const client = useQueryClient();
  const read = useQuery({ ...systemQuery, refetchInterval: 15_000 });
  useAdminEvents((event) => {
    if (event.type !== "video") return;
    const isShown = read.data?.queue.videos.some((video) => video.id === event.id) === true;
    const isDone = event.status === "failed" || (event.progress ?? 1) >= 1;
    if (!isShown || isDone) {
      void client.invalidateQueries({ queryKey: systemKey });
      return;
    }
    client.setQueryData(systemQuery.queryKey, (system) =>
      system === undefined
        ? undefined
        : {
            ...system,
            queue: {
              ...system.queue,
              videos: system.queue.videos.map((video) =>
                video.id === event.id && event.status !== "failed"
                  ? { ...video, status: event.status, progress: event.progress }
                  : video,
              ),
            },
          },
    );
  });

  if (read.isLoadingError)
    return (
      <p className="rounded-lg bg-ink-2 p-4 text-ink-11">Couldn't load the queue and storage.</p>
    );
  const system = read.data;
  const failed = system?.queue.failed ?? 0;
  return (
    <>
      <Panel
        title="Processing"
        aside={
          failed === 0 ? undefined : (
            <a href="/admin/videos?state=failed" className="text-danger-text hover:underline">
              {`${failed.toLocaleString()} failed`}
            </a>
          )
        }
      >
        {system === undefined ? (
          <Skeleton className="h-16 w-full" />
        ) : (
          <QueueList queue={system.queue} />
        )}
      </Panel>
      <Panel title="Storage">
        {system === undefined ? (
          <Skeleton className="h-16 w-full" />
        ) : (
          <StorageFacts storage={system.storage} />
        )}
      </Panel>
      {system === undefined || system.watchedFolder === null ? null : (
        <WatchedFolderPanel folder={system.watchedFolder} />
      )}
    </>
  );
}
