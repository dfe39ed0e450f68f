import { beforeAll, expect, it } from "vitest";
import { createClient, useClient, useTestApp } from "#test/app.ts";
import { makeTag } from "#test/factories/make-label.ts";
import { makeVideo } from "#test/factories/make-video.ts";

const app = useTestApp({ pages: true });
const admin = useClient(app, "OWNER");
const tagIds: string[] = [];
beforeAll(async () => {
  for (const [name, slug] of [
    ["Alps", "alps"],
    ["Trip", "trip"],
  ]) {
    tagIds.push((await makeTag(app.db, { name, slug, is_series: true })).id);
  }
  for (const number of [1, 2, 3]) {
    await makeVideo(app.db, { slug: `day-${number}`, title: `Day ${number}` }, { tagIds });
  }
});

const get = (path: string) => createClient(app.url).call("GET", path);
const structured = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs)].flatMap(
    ([, json = "null"]): Record<string, unknown>[] => [JSON.parse(json)].flat(),
  );

it("renders the place in a series with links to its neighbours, and JSON-LD", async () => {
  const { text } = await get("/video/day-2?in=tags.trip");
  expect(text).toContain('href="/video/day-1?in=tags.trip"');
  expect(text).toContain('href="/video/day-3?in=tags.trip"');
  expect(text.replaceAll(/<[^>]+>/g, "")).toContain("Part 2 of 3 of Trip");
  const video = structured(text).find((each) => each["@type"] === "VideoObject");
  const part = { "@type": "CreativeWorkSeries" };
  expect(video).toMatchObject({
    position: 2,
    isPartOf: [
      { ...part, name: "Alps", url: expect.stringMatching(/\/tags\/alps$/) },
      { ...part, name: "Trip", url: expect.stringMatching(/\/tags\/trip$/) },
    ],
  });
  expect((await get("/de/video/day-2")).text.replaceAll(/<[^>]+>/g, "")).toContain(
    "Teil 2 von 3 von Alps",
  );
});

it.each([
  ["tags.other", ""],
  ["tags.trip&in=tags.alps", "?in=tags.trip"],
  ["videos.trip&t=4", "?t=4"],
  ["%00", null],
])("redirects ?in=%s, so that the page has few addresses", async (value, search) => {
  const response = await fetch(`${app.url}/de/video/day-2?in=${value}`, { redirect: "manual" });
  if (search === null) {
    expect(response.status).toBe(404);
    return;
  }
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toBe(`/de/video/day-2${search}`);
});

it("renders the list of a series in order with numbers and a link that plays it", async () => {
  const { text } = await get("/tags/trip");
  const cards = [...text.matchAll(/href="(\/video\/[^"]+)".*?class="card-part">(\d)</gs)];
  expect(cards.map(([, href, number]) => `${number} ${href?.split("?")[1]}`)).toEqual(
    ["1", "2", "3"].map((number) => `${number} in=tags.trip`),
  );
  expect(text).toMatch(/href="\/video\/day-1\?in=tags\.trip"[^>]*>.{0,900}Play all/s);
});

it("leads to the other series after a merge while the series plays", async () => {
  const into = await makeTag(app.db, { name: "Journeys", slug: "journeys" });
  await admin.call("POST", `/api/tags/${tagIds[1]}/merge`, { into: into.id });
  const { headers } = await fetch(`${app.url}/video/day-2?in=tags.trip`, { redirect: "manual" });
  expect(headers.get("location")).toBe("/video/day-2?in=tags.journeys");
  const { text } = await get("/video/day-2?in=tags.journeys");
  expect(text.replaceAll(/<[^>]+>/g, "")).toContain("Part 2 of 3 of Journeys");
});

it("renders pinned labels above the list of the home page only", async () => {
  const saved = await admin.call("POST", "/api/settings", { pinnedLabels: ["tags/alps"] });
  expect(saved.status).toBe(200);
  const hasRow = async (path: string) => (await get(path)).text.includes('aria-label="#Alps"');
  await expect.poll(() => hasRow("/home")).toBe(true);
  for (const path of ["/home?search=day", "/home?category=Teen", "/search?search=day"]) {
    expect([path, await hasRow(path)]).toEqual([path, false]);
  }
});

it("links to the series of a part that doesn't exist", async () => {
  const { status, text } = await get("/de/video/gone?in=tags.trip");
  expect(status).toBe(404);
  expect(text).toMatch(/href="\/de\/tags\/trip"[^>]*>Serie öffnen</);
  expect((await get("/de/video/gone")).text).not.toContain("Serie öffnen");
});
