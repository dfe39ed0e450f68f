import { expect, it } from "vitest";
import type { BeforeCut } from "#server/db/before-cut.ts";
import { readChapters } from "#server/lib/chapters.ts";
import { followCut } from "./follow-cut.ts";

type Video = Parameters<typeof followCut>[0];

const video = (values: Partial<Video> = {}): Video => ({
  description: null,
  translations: {},
  midroll_times: null,
  chapters: [],
  kept_parts: null,
  before_cut: null,
  duration_s: 120,
  ...values,
});

/** Removes 20 to 50 s and the last 20 s. */
const parts = [
  { startS: 0, endS: 20 },
  { startS: 50, endS: 100 },
];
const durationS = 70;

const before = (values: Partial<BeforeCut>): BeforeCut => ({
  ...{ chapters: [], midrollTimes: null, captions: [], description: null },
  ...{ translations: {}, comments: {}, ...values },
});

it.each(["\n", "\r\n"])(
  "moves the chapters of a description and removes those that are gone: %j",
  (lineEnd) => {
    const description = [
      "Tides at 1:00, recorded at 18:30:00.",
      "0:00 Start",
      "(0:25) Gone at 0:10",
      "0:30 Half gone",
      "1:00 Harbor, see 0:05",
      "1:45 Credits",
    ].join(lineEnd);
    const { values, before: kept, dropped } = followCut(video({ description }), [], parts);
    expect(values.description).toBe(
      [
        "Tides at 0:30, recorded at 18:30:00.",
        "0:00 Start",
        "0:20 Half gone",
        "0:30 Harbor, see 0:05",
      ].join(lineEnd),
    );
    expect(readChapters(values.description, durationS)).toHaveLength(3);
    expect(kept.description).toEqual({ before: description, after: values.description });
    expect(dropped.chapters).toEqual(["Gone at 0:10", "Credits"]);
  },
);

it("moves times that a colon follows", () => {
  const description = "0:00: Start\n0:25: Gone\n1:00: Harbor";
  const { values, comments } = followCut(
    video({ description }),
    [{ id: "a", text: "1:10: great, not 1:10:5" }],
    parts,
  );
  expect(values.description).toBe("0:00: Start\n0:20: Gone\n0:30: Harbor");
  expect(comments).toEqual([{ id: "a", text: "0:40: great, not 1:10:5" }]);
});

it("moves all times in the line of a chapter", () => {
  const description = "0:00 - 1:00 Start\n1:00 - 1:30 Harbor, see 1:10 or 18:30\n1:30 Open end";
  const { values } = followCut(video({ description }), [], parts);
  expect(values.description).toBe(
    "0:00 - 0:30 Start\n0:30 - 1:00 Harbor, see 0:40 or 18:30\n1:00 Open end",
  );
});

it("keeps chapters apart that would start in the same second", () => {
  const description = "0:00 One\n0:49 Two\n0:50 Three\n1:00 Four";
  const { values } = followCut(
    video({ description }),
    [],
    [
      { startS: 0, endS: 10 },
      { startS: 49.6, endS: 120 },
    ],
  );
  expect(values.description).toBe("0:00 One\n0:10 Two\n0:11 Three\n0:20 Four");
});

it("moves times in comments and translations, and names those in removed parts", () => {
  const comments = [
    { id: "a", text: "Look at 1:10 and 0:05!" },
    { id: "b", text: "0:30 is the best" },
    { id: "c", text: "Ratio 16:9, 99:99, 2.500:10, at 23:59" },
  ];
  const translations = { de: { title: "Gezeiten", description: "Ab 1:10" } };
  const next = followCut(video({ translations }), comments, parts);
  expect(next.comments).toEqual([
    { id: "a", text: "Look at 0:40 and 0:05!" },
    { id: "b", text: "0:20 is the best" },
  ]);
  expect(next.values.translations).toBe(
    JSON.stringify({ de: { title: "Gezeiten", description: "Ab 0:40" } }),
  );
  expect(next.dropped).toEqual({ chapters: [], midrollTimes: [], comments: 1 });
});

it("moves mid-rolls and chapters of the file, and names those that are gone", () => {
  const chapters = [0, 25, 45, 105].map((startS) => ({ startS, title: `At ${startS}` }));
  const next = followCut(video({ midroll_times: [10, 30, 60, 110], chapters }), [], parts);
  expect(next.values.midroll_times).toEqual([10, 30]);
  expect(JSON.parse(next.values.chapters)).toEqual([
    { startS: 0, title: "At 0" },
    { startS: 20, title: "At 45" },
  ]);
  expect(next.dropped).toEqual({
    chapters: ["At 25", "At 105"],
    midrollTimes: [30, 110],
    comments: 0,
  });
});

it("restores everything that nobody has changed since the cut", () => {
  const chapters = [0, 25].map((startS) => ({ startS, title: `At ${startS}` }));
  const original = video({ description: "At 1:10", midroll_times: [30, 60], chapters });
  const comments = [{ id: "a", text: "1:10 and 0:30" }];
  const cut = followCut(original, comments, parts);
  const now = video({
    ...{ description: cut.values.description, midroll_times: cut.values.midroll_times },
    ...{ kept_parts: parts, duration_s: durationS, before_cut: before(cut.before) },
  });
  const undone = followCut(now, cut.comments, null);
  expect(undone.values).toMatchObject({ description: "At 1:10", midroll_times: [30, 60] });
  expect(JSON.parse(undone.values.chapters)).toEqual(chapters);
  expect(undone.comments).toEqual(comments);
});

it("moves texts back that were changed since the cut", () => {
  const now = video({
    ...{ description: "New text for 0:40", midroll_times: [5, 30] },
    ...{ kept_parts: parts, duration_s: durationS },
    before_cut: before({
      description: { before: "At 1:10", after: "At 0:40" },
      midrollTimes: { before: [60], after: [30] },
    }),
  });
  const undone = followCut(now, [{ id: "new", text: "0:40!" }], null);
  expect(undone.values).toMatchObject({
    description: "New text for 1:10",
    midroll_times: [5, 60],
  });
  expect(undone.comments).toEqual([{ id: "new", text: "1:10!" }]);
});

it("moves the passages of clips, and restores those that nobody has changed", () => {
  const clips = [
    { id: "kept", startS: 60, endS: 70, thumbnailS: 65 },
    { id: "half", startS: 10, endS: 30, thumbnailS: null },
    { id: "gone", startS: 25, endS: 40, thumbnailS: 30 },
  ];
  const cut = followCut(video(), [], parts, clips);
  expect(cut.clips).toEqual([
    { id: "kept", startS: 30, endS: 40, thumbnailS: 35 },
    { id: "half", startS: 10, endS: 20, thumbnailS: null },
    { id: "gone", startS: 20, endS: 20, thumbnailS: 20 },
  ]);
  const now = video({ kept_parts: parts, duration_s: durationS, before_cut: before(cut.before) });
  expect(followCut(now, [], null, cut.clips).clips).toEqual(clips);

  // A second cut removes what the first has kept.
  const parts2 = [{ startS: 80, endS: 100 }];
  const again = followCut(now, [], parts2, cut.clips);
  expect(again.clips[0]).toEqual({ id: "kept", startS: 0, endS: 0, thumbnailS: 0 });
  const later = video({ kept_parts: parts2, duration_s: 20, before_cut: before(again.before) });
  expect(followCut(later, [], null, again.clips).clips).toEqual(clips);
});

it("moves the passages of clips back that were changed or made since the cut", () => {
  const older = { startS: 5, endS: 10, thumbnailS: null };
  const clips = [{ id: "new", startS: 30, endS: 40, thumbnailS: 35 }];
  const back = [{ id: "new", startS: 60, endS: 70, thumbnailS: 65 }];
  const entries = { new: { before: older, after: older } };
  // Cuts made by older versions store no clips.
  for (const stored of [before({ clips: entries }), before({})]) {
    const now = video({ kept_parts: parts, duration_s: durationS, before_cut: stored });
    expect(followCut(now, [], null, clips).clips).toEqual(back);
  }
});

it("remembers the first version through a second cut", () => {
  const first = followCut(video({ description: "At 1:10" }), [], parts);
  const now = video({
    ...{ description: first.values.description, kept_parts: parts, duration_s: durationS },
    before_cut: before(first.before),
  });
  const second = followCut(now, [], [{ startS: 60, endS: 100 }]);
  expect(second.values.description).toBe("At 0:10");
  expect(second.before.description).toEqual({ before: "At 1:10", after: "At 0:10" });
});
