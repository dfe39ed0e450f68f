import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import type { WatchedCurve } from "#contract/lists/admin-statistics.ts";
import type { Video } from "#contract/videos/videos.ts";
import { binCount, minCurvePlays } from "#contract/videos/watched-bins.ts";
import { Button } from "#web/components/ui/button.tsx";
import { SelectField, TextField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { parseTimes } from "../../settings/settings-form.ts";
import { EditConflict } from "../../shared/editing/edit-conflict.tsx";
import { createFormMerge, useEditedForm } from "../../shared/editing/use-edited-form.ts";
import { Section } from "../../shared/section.tsx";
import { useCan } from "../../shared/admin-page.tsx";
import { useUnsaved } from "../../shared/unsaved.ts";
import { getVideo, updateVideo } from "../calls.ts";
import { videoStatisticsQuery } from "./video-statistics.tsx";

/** Suggested breaks keep this distance from the start, the end and each other, in seconds. */
const minDistanceS = 60;
const everyS = 480;
/** Parts on each side that a valley is compared with. */
const reach = 6;

/**
 * Returns times in the valleys of what is watched: parts that fewer plays show than the parts around
 * them, deepest first, about one in eight minutes. Without valleys there are none.
 */
export function suggestBreaks(
  parts: NonNullable<WatchedCurve["parts"]>,
  durationS: number,
): number[] {
  const passes = parts.watching.map((share, at) => share + (parts.replays[at] ?? 0));
  const smooth = passes.map((_, at) => meanOf(passes.slice(Math.max(0, at - 1), at + 2)));
  const depthAt = (at: number) => {
    const before = Math.max(...smooth.slice(Math.max(0, at - reach), at));
    const after = Math.max(...smooth.slice(at + 1, at + 1 + reach));
    // Rounded, so that the lowest part of a flat valley wins.
    return Math.round((Math.min(before, after) - (smooth[at] ?? 0)) * 1000) / 1000;
  };
  const timeOf = (at: number) => Math.round(((at + 0.5) / binCount) * durationS);
  const valleys = smooth
    .map((_, at) => ({ timeS: timeOf(at), depth: depthAt(at), passes: passes[at] ?? 0 }))
    .filter(
      ({ timeS, depth }) =>
        depth > 0.005 && timeS >= minDistanceS && timeS <= durationS - minDistanceS / 2,
    )
    .toSorted((a, b) => b.depth - a.depth || a.passes - b.passes);
  const chosen: number[] = [];
  for (const { timeS } of valleys) {
    if (chosen.length >= Math.max(1, Math.floor(durationS / everyS))) break;
    if (chosen.every((other) => Math.abs(other - timeS) >= minDistanceS)) chosen.push(timeS);
  }
  return chosen.toSorted((a, b) => a - b);
}

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const uses = {
  settings: "At the times in Settings",
  own: "At these times",
  none: "No mid-rolls",
};
type Use = keyof typeof uses;
const isUse = (value: string): value is Use => Object.hasOwn(uses, value);

interface MidrollForm {
  midrolls: { use: Use; times: string };
}

const merge = createFormMerge<MidrollForm>(
  { midrolls: "Mid-rolls" },
  {
    midrolls: ({ midrolls: { use, times } }) =>
      use === "own" ? (parseTimes(times)?.join(", ") ?? times) : uses[use],
  },
);

function formOf({ midrollTimes: times }: Video): MidrollForm {
  const use =
    times === null || times === undefined ? "settings" : times.length > 0 ? "own" : "none";
  return { midrolls: { use, times: (times ?? []).join(", ") } };
}

/** Returns the times to save, or undefined if they are invalid. Null stands for those in Settings. */
function timesOf({ midrolls: { use, times } }: MidrollForm): number[] | null | undefined {
  if (use === "own") return parseTimes(times) ?? undefined;
  return use === "none" ? [] : null;
}

/**
 * Times of the video's mid-rolls, with suggestions from what viewers watch. Merges changes that
 * another editor or a cut has saved meanwhile.
 */
export function MidrollSection({ video }: { video: Video }) {
  const can = useCan();
  const [note, setNote] = useState<string | null>(null);
  const { data } = useQuery({
    ...videoStatisticsQuery(video.id),
    enabled: can("statistics.read"),
  });
  const client = useQueryClient();
  const edit = useEditedForm<Video, MidrollForm>({
    item: video,
    formOf,
    merge,
    save: ({ version }, form) =>
      updateVideo(video.id, { midrollTimes: timesOf(form) ?? null, version }),
    load: () => getVideo(video.id),
  });
  const { use, times } = edit.form.midrolls;
  const set = (change: Partial<MidrollForm["midrolls"]>) =>
    edit.set({ midrolls: { use, times, ...change } });
  useUnsaved(edit.isDirty);
  if ((video.version ?? 0) > (edit.base.version ?? 0) && !edit.isDirty) edit.rebase(video);
  const saving = useMutation({
    mutationFn: edit.save,
    onSuccess: async (isSaved) => {
      if (isSaved) await client.invalidateQueries({ queryKey: ["admin"] });
    },
    meta: { failure: "Failed to save the mid-roll times" },
  });
  const isInvalid = timesOf(edit.form) === undefined;
  const canSave = edit.isDirty && !isInvalid && edit.clashes.length === 0 && !saving.isPending;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (canSave) saving.mutate();
  };
  const suggest = () => {
    if (data === undefined) return;
    const { parts, plays } = data.curve;
    if (parts === null) {
      setNote(
        `Suggestions need ${minCurvePlays} counted plays. So far there ${
          plays === 1 ? "is" : "are"
        } ${plays}.`,
      );
      return;
    }
    const suggested = suggestBreaks(parts, video.duration);
    if (suggested.length > 0) set({ use: "own", times: suggested.join(", ") });
    setNote(
      suggested.length === 0
        ? "No suggestions: viewers watch all parts about equally."
        : "These parts are watched less than the parts around them. Save to use them.",
    );
  };
  return (
    <Section title="Mid-rolls" hint="Ads that pause the video.">
      <form onSubmit={submit} className="grid gap-4">
        <EditConflict edit={edit} />
        <SelectField
          label="When mid-rolls play"
          className="max-w-60"
          value={use}
          onChange={({ target: { value } }) => {
            if (isUse(value)) set({ use: value });
          }}
          options={Object.entries(uses).map(([value, label]) => ({ value, label }))}
        />
        {use === "own" ? (
          <TextField
            label="Times in seconds, separated by commas"
            value={times}
            error={
              isInvalid && times.trim() !== ""
                ? "Enter seconds as numbers, separated by commas"
                : issueOf(saving.error, "midrollTimes")
            }
            onChange={({ target }) => set({ times: target.value })}
          />
        ) : null}
        <p role="status" className={note === null ? "sr-only" : "text-ink-11"}>
          {note}
        </p>
        <div className="flex flex-wrap gap-2">
          {can("statistics.read") ? (
            <Button onClick={suggest} disabled={data === undefined}>
              Suggest
            </Button>
          ) : null}
          <Button kind="primary" type="submit" disabled={!canSave}>
            {saving.isPending ? "Saving..." : "Save times"}
          </Button>
        </div>
      </form>
    </Section>
  );
}
