import { useQuery, useQueryClient, useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useLocation, useParams } from "react-router";
import type { ClipOrigin } from "#contract/videos/clips.ts";
import type { Video } from "#contract/videos/videos.ts";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { Skeleton } from "#web/components/ui/states.tsx";
import { ApiError } from "#web/lib/api/http.ts";
import { formatDuration } from "#web/lib/format/format.ts";
import { scrollToAnchor } from "#web/lib/page/location.ts";
import { TextField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { useAdminEvents } from "../../shared/admin-events.ts";
import { PageHeader, QueryError, adminHandle, useCan } from "../../shared/admin-page.tsx";
import { getVideo, videoListKey, updateVideo } from "../calls.ts";
import { CaptionsSection } from "../captions/captions-section.tsx";
import { EditVideoDialog } from "../edit-video-dialog.tsx";
import { ScheduleDialog } from "../schedule-dialog.tsx";
import { ThumbnailDialog } from "../thumbnail-dialog.tsx";
import { VisibilityDialog } from "../visibility-dialog.tsx";
import { useVideoActions } from "../use-video-actions.ts";
import { Section, sectionId } from "../../shared/section.tsx";
import { AuditLine } from "../../audit/audit-sentence.tsx";
import { videoHistoryQuery } from "../../audit/calls.ts";
import { momentWords } from "../../shared/moments.ts";
import { conflictText } from "../../shared/failure-text.ts";
import { ModalForm } from "../../shared/modal-form.tsx";
import { MidrollSection } from "./midroll-section.tsx";
import { PrivateLinkSection } from "./private-link-section.tsx";
import { TranslationsSection } from "./translations-section.tsx";
import { VideoFacts } from "./video-facts.tsx";
import { VideoFileTable } from "./video-file-table.tsx";
import { VideoStatistics } from "./video-statistics.tsx";

/** Dialog that changes the slug of a video. The old address redirects to the new one. */
function AddressDialog({ video, onClose }: { video: Video; onClose: () => void }) {
  const [slug, setSlug] = useState(video.slug);
  const saving = useMutation({
    mutationFn: () => updateVideo(video.id, { slug: slug.trim() }),
    onSuccess: onClose,
    meta: { failure: "Failed to change the address", refreshes: videoListKey },
  });
  const { error } = saving;
  return (
    <ModalForm
      size="small"
      title="Change address"
      description={video.title}
      submitLabel="Change"
      busyLabel="Changing..."
      isBusy={saving.isPending}
      canSubmit={slug.trim() !== "" && slug.trim() !== video.slug}
      isDirty={slug !== video.slug}
      onSubmit={() => saving.mutateAsync()}
      onClose={onClose}
    >
      <TextField
        label="Address after /video/"
        hint="Lowercase letters, digits and hyphens. The old address redirects to the new one."
        required
        maxLength={80}
        spellCheck={false}
        autoCapitalize="none"
        value={slug}
        error={issueOf(error, "slug") ?? conflictText(error)}
        onChange={(event) => setSlug(event.target.value)}
      />
    </ModalForm>
  );
}

/** Audit log of a video. */
function VideoHistory({ videoId }: { videoId: string }) {
  const read = useQuery(videoHistoryQuery(videoId));
  return (
    <section aria-labelledby="history" className="mt-8">
      <h2 id="history" className="mb-2 scroll-mt-20 font-semibold">
        History
      </h2>
      {read.isLoadingError ? (
        <QueryError message="Failed to load the history" query={read} />
      ) : read.data === undefined ? (
        <Skeleton className="h-11 w-full" />
      ) : read.data.entries.length === 0 ? (
        <p className="text-ink-11">No changes yet.</p>
      ) : null}
      <ul className="divide-y divide-line">
        {read.data?.entries.map((entry) => (
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

/** Lists the chapters that the seek bar shows. */
function VideoChapters({ video }: { video: Video }) {
  const { chapters = [], slug } = video;
  return (
    <Section
      title="Chapters"
      hint="To add chapters, start lines in the description with a time, such as 1:30 The harbor. The first must be 0:00. Otherwise, chapters in the file are used."
    >
      {chapters.length === 0 ? (
        <p className="text-ink-11">This video has no chapters.</p>
      ) : (
        <ol className="grid">
          {chapters.map(({ startS, title }) => (
            <li key={startS}>
              <a
                href={`/video/${slug}?t=${Math.floor(startS)}`}
                className="flex min-h-small items-center gap-3 hover:underline"
              >
                <span className="tabular w-14 shrink-0 text-ink-11">{formatDuration(startS)}</span>
                <bdi className="min-w-0 break-words">{title}</bdi>
              </a>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

function FromLongVideo({ origin }: { origin: ClipOrigin }) {
  const { id, title, startS, isTrashed = false } = origin;
  return (
    <p className="mb-4 text-ink-11">
      {"From: "}
      {isTrashed ? (
        <>
          <bdi>{title}</bdi> (in the trash, so this clip is hidden)
        </>
      ) : (
        <a href={`/admin/videos/${id}`} className="text-ink-12 underline">
          <bdi>{title}</bdi>
        </a>
      )}
      <span className="tabular">{`, at ${formatDuration(startS)}`}</span>
    </p>
  );
}

export const handle = adminHandle("Video");

const dialogs = {
  edit: EditVideoDialog,
  schedule: ScheduleDialog,
  thumbnail: ThumbnailDialog,
  address: AddressDialog,
  visibility: VisibilityDialog,
};

/** Page with everything about one video. */
export function Component() {
  const { id = "" } = useParams();
  const client = useQueryClient();
  const key = ["admin", "video", id];
  const read = useQuery({ queryKey: key, queryFn: () => getVideo(id) });
  const refresh = () => void client.invalidateQueries({ queryKey: ["admin"] });
  useAdminEvents((event) => {
    if (event.type === "video" && event.id === read.data?.id) refresh();
  });

  // After a failed refetch the page stays, because a dialog may contain unsaved text.
  if (read.isLoadingError) {
    const isGone = read.error instanceof ApiError && read.error.status === 404;
    return isGone ? (
      <div className="grid justify-items-start gap-4">
        <PageHeader title="Video not found" />
        <a href="/admin/videos" className={buttonClass({ kind: "quiet" })}>
          All videos
        </a>
      </div>
    ) : (
      <>
        <PageHeader title="Video" />
        <QueryError message="Failed to load video" query={read} />
      </>
    );
  }
  if (read.data === undefined) return <Skeleton className="h-96 w-full" />;
  // Forms and uploads of one video must not continue on the page of another.
  return <VideoDetails key={read.data.id} video={read.data} onChange={refresh} />;
}

function VideoDetails({ video, onChange }: { video: Video; onChange: () => void }) {
  const can = useCan();
  const actions = useVideoActions();
  const [open, setOpen] = useState<keyof typeof dialogs | null>(null);
  const Dialog = open === null ? null : dialogs[open];
  const { hash } = useLocation();
  // The router scrolls before the video has loaded and the sections exist.
  useEffect(() => {
    if (hash !== "") scrollToAnchor(hash);
  }, [hash]);
  return (
    <>
      <PageHeader title={video.title} note={`/video/${video.slug}`}>
        {can("content.edit") ? (
          <Button kind="primary" onClick={() => setOpen("edit")}>
            Edit
          </Button>
        ) : null}
        {can("content.edit") ? (
          <Button onClick={() => setOpen("thumbnail")}>Change thumbnail</Button>
        ) : null}
        {can("content.edit") ? (
          <Button onClick={() => setOpen("address")}>Change address</Button>
        ) : null}
        {can("content.edit") && video.videoUrl !== null ? (
          <Link to={`/admin/videos/${video.id}/cut`} className={buttonClass({ kind: "quiet" })}>
            Cut
          </Link>
        ) : null}
        {can("content.edit") && video.status === "ready" && video.clipOf === undefined ? (
          <a href={`/admin/videos/${video.id}/clips`} className={buttonClass({ kind: "quiet" })}>
            Make a clip
          </a>
        ) : null}
        {can("content.publish") ? (
          <Button onClick={() => setOpen("visibility")}>Visibility</Button>
        ) : null}
        {can("content.publish") && !video.isPublished ? (
          <Button onClick={() => setOpen("schedule")}>Schedule publishing</Button>
        ) : null}
        {can("content.publish") ? (
          <Button onClick={() => void actions.togglePublished(video)}>
            {video.isPublished ? "Unpublish" : "Publish"}
          </Button>
        ) : null}
        {video.status === "ready" ? (
          <a href={`/video/${video.slug}`} className={buttonClass({ kind: "quiet" })}>
            View on site
          </a>
        ) : null}
        {can("content.remove") ? (
          <Button
            kind="ghost"
            className="text-danger-text! hover:bg-danger-soft lg:ms-4"
            onClick={() => void actions.remove(video)}
          >
            Delete
          </Button>
        ) : null}
      </PageHeader>
      {video.clipOf === undefined ? null : <FromLongVideo origin={video.clipOf} />}
      <nav aria-label="On this page" className="mb-5 border-b border-line">
        <ul className="flex flex-wrap gap-x-5">
          {[
            { id: sectionId("Captions"), name: "Captions" },
            { id: "files", name: can("content.edit") ? "Files and Replace" : "Files" },
            { id: sectionId("Chapters"), name: "Chapters" },
            ...(can("content.edit")
              ? [{ id: sectionId("Translations"), name: "Translations" }]
              : []),
            ...(can("statistics.read") ? [{ id: "statistics", name: "Statistics" }] : []),
            ...(can("audit.read") ? [{ id: "history", name: "History" }] : []),
          ].map(({ id, name }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className="inline-flex min-h-small items-center font-medium text-ink-11 hover:text-ink-12 hover:underline"
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {video.videoUrl === null ? null : (
            // This preview for operators has no caption tracks.
            // oxlint-disable-next-line jsx-a11y/media-has-caption
            <video
              controls
              playsInline
              preload="none"
              aria-label={`Preview: ${video.title}`}
              src={video.videoUrl}
              poster={video.posterUrl ?? undefined}
              className="aspect-video w-full rounded-md bg-video"
            />
          )}
          {video.description === null ? null : (
            <p className="break-words whitespace-pre-line">{video.description}</p>
          )}
          {video.visibility === "private" && can("content.edit") ? (
            <PrivateLinkSection video={video} />
          ) : null}
          <CaptionsSection video={video} />
          <VideoChapters video={video} />
          {can("content.edit") ? <MidrollSection video={video} /> : null}
          {can("content.edit") ? <TranslationsSection video={video} /> : null}
        </div>
        <VideoFacts
          video={video}
          onRetry={can("content.edit") ? () => actions.retry(video) : null}
        />
      </div>
      <VideoFileTable video={video} />
      {can("statistics.read") ? <VideoStatistics video={video} /> : null}
      {can("audit.read") ? <VideoHistory videoId={video.id} /> : null}
      {Dialog === null ? null : (
        <Dialog
          video={video}
          onClose={() => {
            setOpen(null);
            onChange();
          }}
        />
      )}
    </>
  );
}
