import { expect, test } from "vitest";
import { useClient, createClient, useTestApp } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { midrollTimes } from "./videos.service.ts";

const app = useTestApp();
const admin = useClient(app);

const rules = { times: [90, 10], everyMin: 0, gapS: 180 };

test("places mid-rolls at fractions of the duration if there are no times", () => {
  expect(midrollTimes(60, null)).toEqual([]);
  expect(midrollTimes(61, null)).toEqual([30.5]);
  expect(midrollTimes(121, null)).toEqual([30.25, 60.5]);
  expect(midrollTimes(200, null)).toEqual([50, 100, 150]);
});

test("prefers the video's own times to those in the settings, sorts them and drops those after the end", () => {
  expect(midrollTimes(100, [90, 10, 10, 0, 100, 300], rules)).toEqual([10, 90]);
  expect(midrollTimes(100, null, rules)).toEqual([10, 90]);
  expect(midrollTimes(100, [], { ...rules, everyMin: 1 })).toEqual([]);
});

test.each([
  // Columns: minutes of the rule, seconds between breaks, length of the video, expected times.
  [5, 180, 299, []],
  // A mid-roll must leave half a minute of the video after it.
  [5, 180, 329, []],
  [5, 180, 330, [300]],
  [5, 180, 1200, [300, 600, 900]],
  [5, 180, 1230, [300, 600, 900, 1200]],
  // Mid-rolls respect the minimum gap between breaks.
  [1, 180, 600, [180, 360, 540]],
  [1, 0, 200, [60, 120]],
  [10, 180, 0, []],
])(
  "places mid-rolls every %i minutes, %i s apart, in %i s: %j",
  (everyMin, gapS, durationS, times) => {
    expect(midrollTimes(durationS, null, { times: [7], everyMin, gapS })).toEqual(times);
  },
);

test("plays ads at a video's own times, which only users of the back office see", async () => {
  const { id } = await makeVideo(app.db, { duration_s: 600 });
  const path = `/api/videos/${id}`;
  const visitor = createClient(app.url);
  const times = async () => (await visitor.call("GET", `${path}/midroll`)).json.config.times;
  expect(await times()).toEqual([150, 300, 450]);
  const saved = await admin.call("PUT", path, { midrollTimes: [400, 120.5] });
  expect(saved.json.midrollTimes).toEqual([400, 120.5]);
  expect((await visitor.call("GET", path)).json.midrollTimes).toBeUndefined();
  await expect.poll(times).toEqual([120.5, 400]);
  expect((await admin.call("PUT", path, { midrollTimes: [-1] })).status).toBe(400);
  await admin.call("PUT", path, { midrollTimes: null });
  await expect.poll(times).toEqual([150, 300, 450]);
});
