import { useMutation, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { clipLimits } from "#contract/videos/clip-limits.ts";
import {
  clipOptions,
  type ClipFraming,
  type ClipInput,
  type ClipOptions,
  type ClipWindow,
} from "#contract/videos/clips.ts";
import { limits } from "#contract/limits.ts";
import { createdVideos, type Video } from "#contract/videos/videos.ts";
import { Button } from "#web/components/ui/button.tsx";
import { SelectField, TextField } from "#web/components/ui/field.tsx";
import { Skeleton } from "#web/components/ui/states.tsx";
import { ApiError } from "#web/lib/api/http.ts";
import { countOf } from "#web/lib/format/english-counts.ts";
import { formatDuration } from "#web/lib/format/format.ts";
import { PageHeader, QueryError, adminHandle } from "../../shared/admin-page.tsx";
import { adminCall } from "../../shared/admin-api.ts";
import { failureWithReason } from "../../shared/failure-text.ts";
import { notify } from "../../shared/notices.tsx";
import { RadioRows } from "../../shared/radio-rows.tsx";
import { Section } from "../../shared/section.tsx";
import { secondsText } from "../../shared/time-text.ts";
import { useUnsaved } from "../../shared/unsaved.ts";
import { getVideo, videoListKey } from "../calls.ts";
import { TimeField, TimeRuler } from "../ruler/time-ruler.tsx";
import type { Passage } from "../ruler/passages.ts";
import { ClipFrame, ClipPreview } from "./clip-frame.tsx";
import { SeveralClips } from "./several-clips.tsx";

export const handle = adminHandle("Make a clip");

/** Length of the passage that is selected at first, in seconds. */
const usualS = 30;
/** Duration of a new movement of the frame, in seconds. */
const moveS = 1;

const framings = [
  {
    value: "crop",
    label: "Crop",
    hint: "An upright part of the picture. Drag the frame over the player.",
  },
  {
    value: "blur",
    label: "Blurred background",
    hint: "The whole picture on a blurred copy of itself.",
  },
  { value: "as-is", label: "As is", hint: "Keeps the shape of the video." },
] as const satisfies readonly { value: ClipFraming["kind"]; label: string; hint: string }[];

const centered: ClipWindow = { zoom: 1, from: { x: 0.5, y: 0.5 }, move: null };

/** @throws ApiError 409 `edit_conflict` if the video has other files than those shown. */
const makeClips = ({ id, videoUrl }: Video, clips: ClipInput[]) =>
  adminCall(`/api/videos/${id}/clips`, createdVideos, {
    method: "POST",
    body: { clips, ...(videoUrl === null ? {} : { videoUrl }) },
  });

interface VideoToClip {
  video: Video;
  options: ClipOptions;
}

/** Page that makes clips of a video for the For You feed. */
export function Component() {
  const { id = "" } = useParams();
  return <ClipPage key={id} id={id} />;
}

function ClipPage({ id }: { id: string }) {
  const read = useQuery({
    queryKey: ["admin", "video", id, "clips"],
    queryFn: async (): Promise<VideoToClip> => {
      const [video, options] = await Promise.all([
        getVideo(id),
        adminCall(`/api/admin/videos/${id}/clips`, clipOptions),
      ]);
      return { video, options };
    },
    // Never from the cache, because passages are times of one version of the video.
    gcTime: 0,
  });
  const [opened, setOpened] = useState<VideoToClip | null>(null);
  // A video that doesn't play yet is followed. After that, only the user loads new files.
  const isSettled = opened?.video.status === "ready";
  if (!isSettled && read.data !== undefined && read.data !== opened) setOpened(read.data);
  if (opened !== null) {
    const reload = async () => {
      const { data } = await read.refetch();
      if (data !== undefined) setOpened(data);
    };
    return <ClipEditor {...opened} onReload={() => void reload()} />;
  }
  if (!read.isLoadingError) return <Skeleton className="h-96 w-full" />;
  return (
    <>
      <PageHeader title="Make a clip" />
      <QueryError message="Failed to load video" query={read} />
    </>
  );
}

function ClipEditor({ video, options, onReload }: VideoToClip & { onReload: () => void }) {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const durationS = video.duration;
  const [first] = useState(() => firstPassage(query.get("t"), durationS));
  const [chosen, setPassage] = useState(first);
  // New files can be shorter.
  const passage =
    chosen.endS <= durationS ? chosen : fitPassage(chosen.startS, chosen.endS, durationS);
  const [positionS, setPositionS] = useState(passage.startS);
  const [kind, setKind] = useState<ClipFraming["kind"]>(
    (video.width ?? 16) > (video.height ?? 9) ? "crop" : "as-is",
  );
  const [window, setWindow] = useState(centered);
  const [captionId, setCaptionId] = useState("");
  const [title, setTitle] = useState(video.title);
  const [thumbnailS, setThumbnailS] = useState<number | null>(null);
  const player = useRef<HTMLDivElement>(null);
  const findVideo = useCallback(() => player.current?.querySelector("video") ?? null, []);

  const lengthS = passage.endS - passage.startS;
  const move = window.move === null ? null : clampMove(window.move, lengthS);
  const framing: ClipFraming = kind === "crop" ? { kind, window: { ...window, move } } : { kind };
  const shared = { framing, captionId: captionId === "" ? null : captionId };
  const isThumbnailInside =
    thumbnailS !== null && thumbnailS >= passage.startS && thumbnailS <= passage.endS;
  const making = useMutation({
    mutationFn: (clips: ClipInput[]) => makeClips(video, clips),
    meta: { failure: "Failed to make the clip", refreshes: videoListKey },
  });
  const isChanged =
    chosen !== first ||
    window !== centered ||
    title !== video.title ||
    captionId !== "" ||
    thumbnailS !== null;
  useUnsaved(isChanged && !making.isSuccess);
  const isOutdated = making.error instanceof ApiError && making.error.code === "edit_conflict";
  const made = making.data?.videos;
  // Leaves after the render that ends the warning about unsaved changes.
  useEffect(() => {
    if (made === undefined) return;
    const [clip, ...others] = made;
    const isOne = clip !== undefined && others.length === 0;
    notify.success(
      isOne ? "The clip is being made" : `${countOf(made.length, "clip")} are being made`,
    );
    void navigate(isOne ? `/admin/videos/${clip.id}` : "/admin/videos?state=draft");
  }, [made, navigate]);

  if (video.clipOf !== undefined || video.status !== "ready" || durationS < clipLimits.minS) {
    return (
      <>
        <PageHeader title="Make a clip" note={video.title} />
        <p>
          {video.clipOf !== undefined
            ? "This video is a clip. Make the clip from its long video."
            : video.status === "ready"
              ? `This video is too short. A clip has at least ${clipLimits.minS} seconds.`
              : "This video isn't ready yet. Try again when it plays."}
        </p>
      </>
    );
  }
  const picture = { width: video.width ?? 16, height: video.height ?? 9 };
  const clipTimeS = positionS - passage.startS;
  return (
    <>
      <PageHeader title="Make a clip" note={`From: ${video.title}`} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div ref={player}>
            <TimeRuler
              video={video}
              passage={passage}
              onPassage={setPassage}
              kept={[passage]}
              limits={clipLimits}
              marks={options.suggestions.map(({ startS, endS, kind: why, title: name }) => ({
                atS: startS,
                endS,
                label: why === "replays" ? "Most replayed" : `Chapter: ${name ?? ""}`,
              }))}
              overlay={
                kind === "crop" ? (
                  <ClipFrame
                    window={{ ...window, move }}
                    timeS={clipTimeS}
                    picture={picture}
                    onWindow={setWindow}
                  />
                ) : null
              }
              onPosition={setPositionS}
            />
            <Suggestions options={options} onPassage={setPassage} />
          </div>
          <form
            className="grid gap-5"
            onSubmit={(event) => {
              event.preventDefault();
              making.mutate([
                { ...passage, ...shared, title, thumbnailS: isThumbnailInside ? thumbnailS : null },
              ]);
            }}
          >
            <ClipPreview framing={framing} startS={passage.startS} findVideo={findVideo} />
            <RadioRows
              legend="Shape"
              name="framing"
              value={kind}
              options={framings}
              onValue={setKind}
            />
            {kind === "crop" ? (
              <CropFields
                window={{ ...window, move }}
                startS={passage.startS}
                clipTimeS={Math.min(Math.max(clipTimeS, 0), lengthS)}
                onWindow={setWindow}
              />
            ) : null}
            <SelectField
              label="Captions in the picture"
              hint={
                options.captionsObstacle ??
                (options.captions.length === 0 ? "This video has no captions." : undefined)
              }
              value={captionId}
              disabled={options.captionsObstacle !== null || options.captions.length === 0}
              options={[
                { value: "", label: "None" },
                ...options.captions.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={({ target }) => setCaptionId(target.value)}
            />
            <TextField
              label="Title"
              required
              maxLength={limits.titleMax}
              value={title}
              onChange={({ target }) => setTitle(target.value)}
            />
            <div className="flex flex-wrap items-center gap-2">
              <Button
                onClick={() => setThumbnailS(positionS)}
                disabled={clipTimeS < 0 || clipTimeS > lengthS}
              >
                Use this frame as thumbnail
              </Button>
              <span className="text-sm text-ink-11" role="status">
                {isThumbnailInside
                  ? `Thumbnail: ${secondsText(thumbnailS)}`
                  : "Thumbnail: chosen automatically"}
              </span>
            </div>
            <p className="text-sm text-ink-11">
              The clip becomes a draft with the tags and actors of this video. The restrictions of
              this video also apply to the clip.
            </p>
            <Button kind="primary" type="submit" disabled={making.isPending || title.trim() === ""}>
              {making.isPending ? "Making..." : "Make the clip"}
            </Button>
          </form>
        </div>
        {isOutdated ? (
          <div role="alert" className="grid justify-items-start gap-2 text-danger-text">
            <p>{failureWithReason("Failed to make the clip", making.error)}</p>
            <p>Your passage, list and settings are kept.</p>
            <Button
              onClick={() => {
                making.reset();
                onReload();
              }}
            >
              Reload video
            </Button>
          </div>
        ) : null}
        <SeveralClips
          video={video}
          options={options}
          isBusy={making.isPending}
          isMade={making.isSuccess}
          onMake={(rows) => making.mutate(rows.map((row) => ({ ...row, ...shared })))}
        />
        <ExistingClips clips={options.clips} />
      </div>
    </>
  );
}

/** Starts at the time in the address, where an editor was watching. */
function firstPassage(text: string | null, durationS: number): Passage {
  const wantedS = Number(text ?? 0);
  const startS = Math.max(0, Number.isFinite(wantedS) ? wantedS : 0);
  return fitPassage(startS, startS + usualS, durationS);
}

/** Returns the part of a passage that is in the video, with the minimum length of a clip. */
function fitPassage(wantedS: number, endS: number, durationS: number): Passage {
  const startS = Math.min(wantedS, Math.max(0, durationS - clipLimits.minS));
  return { startS, endS: Math.min(endS, durationS) };
}

/** Returns a movement that fits into a clip of this length. */
function clampMove(move: NonNullable<ClipWindow["move"]>, lengthS: number) {
  const endS = Math.min(move.endS, lengthS);
  return { ...move, startS: Math.max(0, Math.min(move.startS, endS - 0.1)), endS };
}

function CropFields({
  window,
  startS,
  clipTimeS,
  onWindow,
}: {
  window: ClipWindow;
  startS: number;
  clipTimeS: number;
  onWindow: (window: ClipWindow) => void;
}) {
  const { move } = window;
  const change = (values: Partial<NonNullable<ClipWindow["move"]>>) => {
    if (move === null) return;
    const next = { ...move, ...values };
    if (next.endS > next.startS && next.startS >= 0) onWindow({ ...window, move: next });
  };
  return (
    <div className="grid gap-3">
      <label className="grid gap-1 text-sm font-medium">
        Size of the frame
        <input
          type="range"
          className="min-h-11 accent-lamp"
          min={clipLimits.minZoom * 100}
          max={100}
          value={Math.round(window.zoom * 100)}
          aria-valuetext={`${Math.round(window.zoom * 100)}%`}
          onChange={({ target }) => onWindow({ ...window, zoom: Number(target.value) / 100 })}
        />
      </label>
      <div className="flex flex-wrap items-end gap-2">
        {move === null ? null : (
          <>
            <TimeField
              label="Moves from"
              valueS={startS + move.startS}
              onTime={(timeS) => change({ startS: timeS - startS })}
            />
            <TimeField
              label="Moves until"
              valueS={startS + move.endS}
              onTime={(timeS) => change({ endS: timeS - startS })}
            />
          </>
        )}
        {/* One button, so that it keeps the focus. */}
        <Button
          onClick={() => {
            const endS = Math.max(clipTimeS, moveS / 2);
            const added = { to: window.from, startS: Math.max(0, endS - moveS), endS };
            onWindow({ ...window, move: move === null ? added : null });
          }}
        >
          {move === null ? "Add second point" : "Remove second point"}
        </Button>
      </div>
      {move === null ? (
        <p className="text-sm text-ink-11">
          Go to a time in the clip, add a second point, and drag the frame there.
        </p>
      ) : null}
    </div>
  );
}

/** Maximum number of suggested passages with a button. The ruler marks all of them. */
const maxSuggestions = 40;

function Suggestions({
  options,
  onPassage,
}: {
  options: ClipOptions;
  onPassage: (passage: Passage) => void;
}) {
  if (options.suggestions.length === 0) return null;
  return (
    <section aria-labelledby="suggestions" className="mt-5">
      <h2 id="suggestions" className="mb-2 font-semibold">
        Suggestions
      </h2>
      <ul className="flex flex-wrap gap-2">
        {options.suggestions.slice(0, maxSuggestions).map(({ startS, endS, kind, title }) => (
          <li key={`${kind}${startS}`}>
            <Button
              size="small"
              onClick={() => onPassage({ startS, endS: Math.min(endS, startS + clipLimits.maxS) })}
            >
              {kind === "replays" ? "Most replayed" : <bdi>{title}</bdi>}
              <span className="tabular ms-1 text-ink-11">{formatDuration(startS)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ExistingClips({ clips }: Pick<ClipOptions, "clips">) {
  if (clips.length === 0) return null;
  return (
    <Section
      title="Clips of this video"
      hint="Counts each viewer once a day if they open this video within an hour after playing the clip."
    >
      <ul className="divide-y divide-line">
        {clips.map(({ id, title, startS, endS, isPublished, broughtViewers }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 py-2.5">
            <a href={`/admin/videos/${id}`} className="min-w-0 font-medium hover:underline">
              <bdi className="wrap-anywhere">{title}</bdi>
            </a>
            <span className="tabular text-ink-11">
              {`${formatDuration(startS)} to ${formatDuration(endS)}, ${isPublished ? "published" : "draft"}, brought ${countOf(broughtViewers, "viewer")}`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
