import { useMutation, useQuery } from "@tanstack/react-query";
import { useCallback, useRef, useState } from "react";
import { useNavigate, useParams, useSearchParams } from "react-router";
import {
  clipLimits,
  clipOptions,
  type ClipFraming,
  type ClipInput,
  type ClipOptions,
  type ClipWindow,
} from "#contract/videos/clips.ts";
import { limits } from "#contract/limits.ts";
import { createdVideos, type Video } from "#contract/videos/videos.ts";
import { Button } from "#web/components/ui/button.tsx";
import { SelectField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { Skeleton } from "#web/components/ui/states.tsx";
import { countOf } from "#web/lib/format/english-counts.ts";
import { PageHeader, QueryError, adminHandle } from "../../shared/admin-page.tsx";
import { adminCall } from "../../shared/admin-api.ts";
import { FileButton } from "../../shared/file-button.tsx";
import { notify } from "../../shared/notices.tsx";
import { RadioRows } from "../../shared/radio-rows.tsx";
import { Section } from "../../shared/section.tsx";
import { secondsText } from "../../shared/time-text.ts";
import { getVideo, videoListKey } from "../calls.ts";
import { TimeField, TimeRuler } from "../ruler/time-ruler.tsx";
import type { Passage } from "../ruler/passages.ts";
import { ClipFrame, ClipPreview } from "./clip-frame.tsx";
import { readClipRows, rowProblem, type ClipRow } from "./clip-list.ts";

export const handle = adminHandle("Make a clip");

/** Length of the passage that is selected first. */
const usualS = 30;
/** Length of a movement of the frame that was just added. */
const moveS = 1;

const framings = [
  {
    value: "crop",
    label: "Crop",
    hint: "An upright part of the picture. Drag the frame over the player.",
  },
  {
    value: "blur",
    label: "Blurred ground",
    hint: "The whole picture on a blurred copy of itself.",
  },
  { value: "as-is", label: "As it is", hint: "The shape of the video stays." },
] as const satisfies readonly { value: ClipFraming["kind"]; label: string; hint: string }[];

const centered: ClipWindow = { zoom: 1, from: { x: 0.5, y: 0.5 }, move: null };

const makeClips = (videoId: string, clips: ClipInput[]) =>
  adminCall(`/api/videos/${videoId}/clips`, createdVideos, {
    method: "POST",
    body: { clips },
  });

/** Page that makes clips of a video for the For You feed. */
export function Component() {
  const { id = "" } = useParams();
  const read = useQuery({ queryKey: ["admin", "video", id], queryFn: () => getVideo(id) });
  const options = useQuery({
    queryKey: ["admin", "video", id, "clips"],
    queryFn: () => adminCall(`/api/admin/videos/${id}/clips`, clipOptions),
  });
  const failed = read.isLoadingError ? read : options.isLoadingError ? options : null;
  if (failed !== null) {
    return (
      <>
        <PageHeader title="Make a clip" />
        <QueryError message="Failed to load video" query={failed} />
      </>
    );
  }
  if (read.data === undefined || options.data === undefined) {
    return <Skeleton className="h-96 w-full" />;
  }
  return <ClipEditor key={id} video={read.data} options={options.data} />;
}

function ClipEditor({ video, options }: { video: Video; options: ClipOptions }) {
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const durationS = video.duration;
  const [passage, setPassage] = useState<Passage>(() => firstPassage(query.get("t"), durationS));
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
    mutationFn: (clips: ClipInput[]) => makeClips(video.id, clips),
    onSuccess: ({ videos }) => {
      const [first] = videos;
      notify.success(
        videos.length === 1
          ? "The clip is being made"
          : `${countOf(videos.length, "clip")} are being made`,
      );
      void navigate(
        videos.length === 1 && first !== undefined
          ? `/admin/videos/${first.id}`
          : "/admin/videos?state=draft",
      );
    },
    meta: { failure: "Failed to make the clip", refreshes: videoListKey },
  });

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
            The clip becomes a draft with the tags and actors of this video. What restricts this
            video also restricts the clip.
          </p>
          <Button kind="primary" type="submit" disabled={making.isPending || title.trim() === ""}>
            {making.isPending ? "Making..." : "Make the clip"}
          </Button>
        </form>
      </div>
      <SeveralClips
        video={video}
        options={options}
        isBusy={making.isPending}
        onMake={(rows) => making.mutate(rows.map((row) => ({ ...row, ...shared })))}
      />
      <ExistingClips clips={options.clips} />
    </>
  );
}

/** Starts at the time in the address, where an editor was watching. */
function firstPassage(text: string | null, durationS: number): Passage {
  const wantedS = Number(text ?? 0);
  const startS = Math.min(
    Math.max(0, Number.isFinite(wantedS) ? wantedS : 0),
    Math.max(0, durationS - clipLimits.minS),
  );
  return { startS, endS: Math.min(startS + usualS, durationS) };
}

/** Fits a movement into a clip that became shorter. */
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
  const change = (change: Partial<NonNullable<ClipWindow["move"]>>) => {
    if (move === null) return;
    const next = { ...move, ...change };
    if (next.endS > next.startS && next.startS >= 0) onWindow({ ...window, move: next });
  };
  return (
    <div className="grid gap-3">
      <label className="grid gap-1 text-sm font-medium">
        Size of the frame
        <input
          type="range"
          min={clipLimits.minZoom * 100}
          max={100}
          value={Math.round(window.zoom * 100)}
          aria-valuetext={`${Math.round(window.zoom * 100)}%`}
          onChange={({ target }) => onWindow({ ...window, zoom: Number(target.value) / 100 })}
        />
      </label>
      {move === null ? (
        <div className="grid gap-1">
          <Button
            onClick={() => {
              const endS = Math.max(clipTimeS, moveS / 2);
              const first = Math.max(0, endS - moveS);
              onWindow({ ...window, move: { to: window.from, startS: first, endS } });
            }}
          >
            Move the frame here
          </Button>
          <p className="text-sm text-ink-11">
            Go to a time in the clip, add a second point, and drag the frame there.
          </p>
        </div>
      ) : (
        <div className="flex flex-wrap items-end gap-2">
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
          <Button onClick={() => onWindow({ ...window, move: null })}>Remove second point</Button>
        </div>
      )}
    </div>
  );
}

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
        {options.suggestions.map(({ startS, endS, kind, title }) => (
          <li key={`${kind}${startS}`}>
            <Button
              size="small"
              onClick={() => onPassage({ startS, endS: Math.min(endS, startS + clipLimits.maxS) })}
            >
              {kind === "replays" ? "Most replayed" : <bdi>{title}</bdi>}
              <span className="tabular ms-1 text-ink-11">{secondsText(startS).slice(0, -4)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** List of times from which several clips are made, with a table to check. */
function SeveralClips({
  video,
  options,
  isBusy,
  onMake,
}: {
  video: Video;
  options: ClipOptions;
  isBusy: boolean;
  onMake: (rows: ClipRow[]) => void;
}) {
  const [text, setText] = useState("");
  const [rows, setRows] = useState<ClipRow[]>([]);
  const [wrongRows, setWrongRows] = useState<number[]>([]);
  const titleOf = (number: number) => `${video.title} (${number})`.slice(0, limits.titleMax);
  const add = (csv: string) => {
    const found = readClipRows(csv, titleOf);
    setRows(found.rows.slice(0, clipLimits.maxAtOnce));
    setWrongRows(found.wrongRows);
  };
  const chapters = options.suggestions.filter(({ kind }) => kind === "chapter");
  const hasProblem = rows.some((row) => rowProblem(row, video.duration) !== null);
  return (
    <Section
      title="Several clips"
      hint="One row per clip: start, end, title. For example 1:05, 1:35, The harbor. Shape and captions are those chosen above, with the frame in the same place."
    >
      <div className="grid gap-3">
        <TextAreaField
          label="List of times"
          rows={4}
          spellCheck={false}
          value={text}
          error={wrongRows.length === 0 ? null : `Rows that can't be read: ${wrongRows.join(", ")}`}
          onChange={({ target }) => setText(target.value)}
        />
        <div className="flex flex-wrap gap-2">
          <Button disabled={text.trim() === ""} onClick={() => add(text)}>
            Check the list
          </Button>
          <FileButton
            label="Open a CSV file"
            accept=".csv,text/csv,text/plain"
            onFile={(file) =>
              void file.text().then((csv) => {
                setText(csv);
                add(csv);
              })
            }
          />
          {chapters.length === 0 ? null : (
            <Button
              onClick={() => {
                setWrongRows([]);
                setRows(
                  chapters.map(({ startS, endS, title }, at) => ({
                    startS,
                    endS,
                    title: title ?? titleOf(at + 1),
                  })),
                );
              }}
            >
              Use the chapters
            </Button>
          )}
        </div>
        {rows.length === 0 ? null : (
          <>
            <table className="w-full text-start">
              <caption className="sr-only">Clips to make</caption>
              <thead className="text-sm text-ink-11">
                <tr>
                  {["Start", "End", "Title", "Length"].map((name) => (
                    <th key={name} scope="col" className="py-1 pe-3 text-start font-medium">
                      {name}
                    </th>
                  ))}
                  <th scope="col">
                    <span className="sr-only">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row, at) => {
                  const problem = rowProblem(row, video.duration);
                  const change = (values: Partial<ClipRow>) =>
                    setRows(rows.map((each, n) => (n === at ? { ...each, ...values } : each)));
                  return (
                    // The order is the only identity that rows have.
                    // oxlint-disable-next-line react/no-array-index-key
                    <tr key={at} className="border-t border-line align-top">
                      <td className="tabular py-2 pe-3">{secondsText(row.startS)}</td>
                      <td className="tabular py-2 pe-3">{secondsText(row.endS)}</td>
                      <td className="py-2 pe-3">
                        <TextField
                          label={`Title of clip ${at + 1}`}
                          isLabelHidden
                          maxLength={limits.titleMax}
                          value={row.title}
                          error={problem}
                          onChange={({ target }) => change({ title: target.value })}
                        />
                      </td>
                      <td className="tabular py-2 pe-3">{`${Math.round(row.endS - row.startS)} s`}</td>
                      <td className="py-2">
                        <Button
                          size="small"
                          kind="ghost"
                          aria-label={`Remove clip ${at + 1}`}
                          onClick={() => setRows(rows.filter((_, n) => n !== at))}
                        >
                          Remove
                        </Button>
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
            <Button kind="primary" disabled={hasProblem || isBusy} onClick={() => onMake(rows)}>
              {isBusy ? "Making..." : `Make ${countOf(rows.length, "clip")}`}
            </Button>
          </>
        )}
      </div>
    </Section>
  );
}

function ExistingClips({ clips }: Pick<ClipOptions, "clips">) {
  if (clips.length === 0) return null;
  return (
    <Section
      title="Clips of this video"
      hint="Viewers are counted once a day if they came to this video within an hour after playing the clip."
    >
      <ul className="divide-y divide-line">
        {clips.map(({ id, title, startS, endS, isPublished, broughtViewers }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 py-2.5">
            <a href={`/admin/videos/${id}`} className="min-w-0 font-medium hover:underline">
              <bdi className="wrap-anywhere">{title}</bdi>
            </a>
            <span className="tabular text-ink-11">
              {`${secondsText(startS).slice(0, -4)} to ${secondsText(endS).slice(0, -4)}, ${isPublished ? "published" : "draft"}, brought ${countOf(broughtViewers, "viewer")}`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
