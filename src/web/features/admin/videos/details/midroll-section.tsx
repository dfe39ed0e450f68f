import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import type { WatchedCurve } from "#contract/lists/admin-statistics.ts";
import type { Video } from "#contract/videos/videos.ts";
import { binCount, minCurvePlays } from "#contract/videos/watched-bins.ts";
import { Button } from "#web/components/ui/button.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { parseTimes } from "../../settings/settings-form.ts";
import { Section } from "../../shared/section.tsx";
import { useCan } from "../../shared/admin-page.tsx";
import { useUnsaved } from "../../shared/unsaved.ts";
import { updateVideo } from "../calls.ts";
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

/** Times of the video's mid-rolls, with suggestions from what viewers watch. */
export function MidrollSection({ video }: { video: Video }) {
  const can = useCan();
  const saved = (video.midrollTimes ?? []).join(", ");
  const [typed, setTyped] = useState<string | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const text = typed ?? saved;
  const times = parseTimes(text);
  const { data } = useQuery({
    ...videoStatisticsQuery(video.id),
    enabled: can("statistics.read"),
  });
  const isChanged = text !== saved;
  useUnsaved(isChanged);
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: (sent: string) => updateVideo(video.id, { midrollTimes: parseTimes(sent) ?? null }),
    onSuccess: async (_, sent) => {
      // Until the video has the new times, the field would show the old ones.
      await client.invalidateQueries({ queryKey: ["admin"] });
      // Input typed meanwhile is preserved.
      setTyped((now) => (now === sent ? null : now));
    },
    meta: { failure: "Failed to save the mid-roll times" },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isChanged && times !== undefined && !saving.isPending) saving.mutate(text);
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
    if (suggested.length > 0) setTyped(suggested.join(", "));
    setNote(
      suggested.length === 0
        ? "No suggestions: viewers watch all parts about equally."
        : "These parts are watched less than the parts around them. Save to use them.",
    );
  };
  return (
    <Section
      title="Mid-rolls"
      hint="Ads pause the video at these times. Leave empty to use the times in Settings."
    >
      <form onSubmit={submit} className="grid gap-4">
        <TextField
          label="Times in seconds, separated by commas"
          value={text}
          error={
            times === undefined
              ? "Enter seconds as numbers, separated by commas"
              : issueOf(saving.error, "midrollTimes")
          }
          onChange={({ target }) => setTyped(target.value)}
        />
        <p role="status" className={note === null ? "sr-only" : "text-ink-11"}>
          {note}
        </p>
        <div className="flex flex-wrap gap-2">
          {can("statistics.read") ? (
            <Button onClick={suggest} disabled={data === undefined}>
              Suggest
            </Button>
          ) : null}
          <Button
            kind="primary"
            type="submit"
            disabled={!isChanged || times === undefined || saving.isPending}
          >
            {saving.isPending ? "Saving..." : "Save times"}
          </Button>
        </div>
      </form>
    </Section>
  );
}
