import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { DownloadIcon } from "lucide-react";
import { Fragment, useEffect, useRef } from "react";
import { Link } from "react-router";
import { isHiddenPartsNotice } from "#contract/videos/hidden-parts.ts";
import { videoFileList, type VideoFileList } from "#contract/videos/admin-videos.ts";
import type { Video } from "#contract/videos/videos.ts";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { adminCall } from "../../shared/admin-api.ts";
import { Skeleton } from "#web/components/ui/states.tsx";
import { QueryError, useCan } from "../../shared/admin-page.tsx";
import { reprocessVideo } from "../calls.ts";
import { DownloadLink } from "../../shared/file-button.tsx";
import { ReplaceFile } from "./replace-file.tsx";

type Files = VideoFileList["files"];

/**
 * Describes how much smaller AV1 renditions are than H.264 ones of the same size; null without AV1.
 */
export function describeSaving(files: Files): string | null {
  const efficient = files.filter(({ kind }) => kind === "efficient");
  const lines = new Set(efficient.map(({ height }) => height));
  const usual = files.filter(({ kind, height }) => kind === "rendition" && lines.has(height));
  const [av1Bytes, h264Bytes] = [sumOf(efficient), sumOf(usual)];
  if (av1Bytes === 0 || h264Bytes <= av1Bytes) return null;
  const share = Math.round((1 - av1Bytes / h264Bytes) * 100);
  return `Browsers that support AV1 download ${share}% less video data: ${formatFileSize(av1Bytes)} instead of ${formatFileSize(h264Bytes)} for all renditions.`;
}

const sumOf = (files: Files): number => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

const messages = {
  kinds: {
    progressive: "Progressive MP4",
    small: "Small MP4",
    rendition: "Rendition",
    efficient: "AV1 rendition",
    hdr: "HDR rendition",
    sound: "Sound",
    picture: "Thumbnails and preview",
    other: "Playlists and other files",
  },
} as const;

const filesQuery = (video: Video) =>
  queryOptions({
    // Which files exist depends on the state.
    queryKey: ["admin", "video", video.id, "files", video.status, video.progress === 1],
    queryFn: () => adminCall(`/api/admin/videos/${video.id}/files`, videoFileList),
    // No event reports the progress of a new file, because the video itself is unchanged.
    refetchInterval: ({ state }) =>
      state.data?.replacement?.state === "processing" ? newFileEveryMs : false,
  });

/** Milliseconds between requests for the progress of a new file. */
const newFileEveryMs = 2000;

const nameOf = ({ kind, height }: VideoFileList["files"][number]) =>
  height === null ? messages.kinds[kind] : `${messages.kinds[kind]} ${height}p`;

/** Lists the files of a video. Users can download the original and reprocess it. */
export function VideoFileTable({ video }: { video: Video }) {
  const can = useCan();
  const client = useQueryClient();
  const read = useQuery(filesQuery(video));
  const { data } = read;
  const starting = useMutation({
    mutationFn: () => reprocessVideo(video.id),
    meta: {
      success: "Reprocessing started",
      failure: "Failed to start reprocessing",
      refreshes: ["admin", "video"],
    },
  });
  const start = async () => {
    if (
      await confirmAction(
        "Reprocess this video from its original? It keeps playing in the meantime.",
        "Reprocess",
      )
    )
      starting.mutate();
  };
  const isReplacing = data?.replacement?.state === "processing";
  const wasReplacing = useRef(isReplacing);
  useEffect(() => {
    // Reloads all data, because the whole page shows the new file from now on.
    if (wasReplacing.current && !isReplacing)
      void client.invalidateQueries({ queryKey: ["admin"] });
    wasReplacing.current = isReplacing;
  }, [client, isReplacing]);
  const heading = (
    <h2 id="files" className="mb-2 scroll-mt-20 font-semibold">
      Files
    </h2>
  );
  if (data === undefined) {
    return (
      <section aria-labelledby="files" className="mt-8">
        {heading}
        {read.isLoadingError ? (
          <QueryError message="Failed to load the files" query={read} />
        ) : (
          <Skeleton className="h-32 w-full max-w-xl" />
        )}
      </section>
    );
  }
  const { originalBytes, replacement, sameFileAs, files } = data;
  const saving = describeSaving(files);
  const hasHiddenParts = video.mediaNotices?.some(isHiddenPartsNotice) === true;
  const isReady = video.status === "ready" && video.progress === 1;
  return (
    <section aria-labelledby="files" className="mt-8">
      {heading}
      <dl className="tabular max-w-xl divide-y divide-line">
        {[
          ...(originalBytes === null ? [] : [{ name: "Original", bytes: originalBytes }]),
          ...files.map((file) => ({ name: nameOf(file), bytes: file.sizeBytes })),
        ].map(({ name, bytes }) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-6 py-2">
            <dt>{name}</dt>
            <dd className="text-ink-11">{formatFileSize(bytes)}</dd>
          </div>
        ))}
      </dl>
      {saving === null ? null : <p className="mt-3 max-w-xl">{saving}</p>}
      {originalBytes === null && isReady ? (
        <p className="mt-3 max-w-xl">
          The original no longer exists, so this video can't be reprocessed. Replace the file
          instead.
        </p>
      ) : null}
      {sameFileAs.length === 0 ? null : (
        <p className="mt-3 max-w-xl break-words">
          {`Same file as `}
          {sameFileAs.map(({ id, title }, at) => (
            <Fragment key={id}>
              {at === 0 ? null : ", "}
              <Link to={`/admin/videos/${id}`} className="font-medium underline">
                <bdi>{title}</bdi>
              </Link>
            </Fragment>
          ))}
        </p>
      )}
      {hasHiddenParts && originalBytes !== null ? (
        <p className="mt-3 max-w-xl">
          The original also contains the parts that were trimmed away. Viewers don't see them.
        </p>
      ) : null}
      {can("content.edit") && originalBytes !== null ? (
        <div className="mt-3 flex flex-wrap gap-2">
          <DownloadLink
            href={`/api/admin/videos/${video.id}/original`}
            className={buttonClass({ kind: "quiet" })}
          >
            <DownloadIcon aria-hidden="true" className="size-4" />
            Download original
          </DownloadLink>
          {isReady && !isReplacing ? (
            <Button disabled={starting.isPending} onClick={() => void start()}>
              Reprocess
            </Button>
          ) : null}
        </div>
      ) : null}
      {can("content.edit") ? <ReplaceFile video={video} replacement={replacement} /> : null}
    </section>
  );
}
