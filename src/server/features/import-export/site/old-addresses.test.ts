import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useTestApp } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { makeFolder } from "#test/shared.ts";
import { canonicalAddress, isOwnAddress } from "./old-addresses.ts";
import { writeTree } from "./other-sites.fixture.ts";

const app = useTestApp({ pages: true });

async function follow(path: string) {
  const response = await fetch(app.url + path, { redirect: "manual" });
  if (response.status === 301) expect(response.headers.get("cache-control")).toBe("no-cache");
  return [response.status, response.headers.get("location")];
}

it("leads old addresses to the page of the video, with any query", async () => {
  const { id } = await makeVideo(app.db, { slug: "moved", title: "Moved" });
  // The page for unknown addresses is cached, and must not answer afterwards.
  expect((await follow("/w/abc"))[0]).toBe(404);
  const { oldAddresses } = app.context;
  const problems = await oldAddresses.add(id, [
    "/w/abc",
    "https://old.example/view?m=TOKEN&amp;x=1",
    "/view?m=TOKEN",
    "/Café/my%20clip.html",
    "/videos/embed/abc",
    "/index.php?option=com_media&view=item&id=5",
    "/clips/42;hd.html",
    "/video,42,title.html",
  ]);
  expect(problems).toEqual([]);
  await oldAddresses.announce();
  await expect.poll(() => follow("/w/abc")).toEqual([301, "/video/moved"]);
  expect(await follow("/w/abc/")).toEqual([301, "/video/moved"]);
  expect(await follow("/w/abc?start=1m10s&muted=1")).toEqual([301, "/video/moved?t=70"]);
  expect(await follow("/view?autoplay=1&m=TOKEN")).toEqual([301, "/video/moved"]);
  const joomla = "view=item&id=5&option=com_media";
  expect(await follow(`/index.php?${joomla}&fbclid=IwAR1`)).toEqual([301, "/video/moved"]);
  expect(await follow(`/index.php?lang=en&${joomla}&t=9&utm_source=x`)).toEqual([
    ...[301, "/video/moved?t=9"],
  ]);
  expect((await follow("/index.php?option=com_media&view=item&id=6&x=1"))[0]).toBe(404);
  expect(await follow("/w/abc;threadId=99561?start=70")).toEqual([301, "/video/moved?t=70"]);
  expect(await follow("/video,42,title.html?x=1")).toEqual([301, "/video/moved"]);
  expect(await follow("/clips/42;hd.html")).toEqual([301, "/video/moved"]);
  expect(await follow("/Caf%C3%A9/my%20clip.html?utm=x")).toEqual([301, "/video/moved"]);
  expect(await follow("/videos/embed/abc")).toEqual([301, "/embed/moved"]);
  expect((await follow("/view?m=OTHER"))[0]).toBe(404);
  expect((await follow("/w/abcd"))[0]).toBe(404);
  expect((await follow("/home"))[0]).toBe(200);
});

it("leads embeds of other sites to the embed page", async () => {
  const { id } = await makeVideo(app.db, { slug: "framed" });
  const { oldAddresses } = app.context;
  const embeds = [
    ...["/embed?m=TOKEN", "/vEmbed/30664", "/videoEmbed/900/x", "/embed.php?v=7"],
    ...["/player/embed_player.php?vid=9", "/videos/embed/framed"],
  ];
  const pages = ["/watch/how-to-embed", "/embedding/9", "/a/b/embed/9"];
  expect(await oldAddresses.add(id, [...embeds, ...pages])).toEqual([]);
  await oldAddresses.refresh();
  for (const path of embeds)
    expect([path, ...(await follow(path))]).toEqual([path, 301, "/embed/framed"]);
  for (const path of pages)
    expect([path, ...(await follow(path))]).toEqual([path, 301, "/video/framed"]);
});

it("doesn't reveal drafts and private videos", async () => {
  const draft = await makeVideo(app.db, { slug: "secret-draft", is_published: false });
  await app.context.oldAddresses.add(draft.id, ["/w/draft"]);
  await app.context.oldAddresses.refresh();
  expect(await follow("/w/draft")).toEqual([404, null]);
});

it("refuses addresses of this site and of other videos by name", async () => {
  const one = await makeVideo(app.db, { slug: "one" });
  const two = await makeVideo(app.db, { slug: "two" });
  const { oldAddresses } = app.context;
  expect(
    await oldAddresses.add(one.id, ["/old/1", "/video/one", "/de/home", "/", "/api/videos"]),
  ).toEqual([
    "/video/one: this site has a page at that address",
    "/de/home: this site has a page at that address",
    "/: not an address of a video",
    "/api/videos: this site has a page at that address",
  ]);
  expect(await oldAddresses.add(two.id, ["/old/1"])).toEqual([
    "/old/1: already leads to /video/one",
  ]);
});

it("accepts addresses like those of its own videos, which come first", async () => {
  const { id } = await makeVideo(app.db, { slug: "walk" });
  const { oldAddresses } = app.context;
  const old = ["/video/123/my-title", "/video/124", "/embed/124", "/video?v=5"];
  expect(await oldAddresses.add(id, old)).toEqual([]);
  await oldAddresses.refresh();
  expect(await follow("/video/123/my-title")).toEqual([301, "/video/walk"]);
  expect(await follow("/video/124")).toEqual([301, "/video/walk"]);
  expect(await follow("/embed/124")).toEqual([301, "/embed/walk"]);
  expect(await follow("/video?v=5")).toEqual([301, "/video/walk"]);
  expect((await follow("/video/125"))[0]).toBe(404);
  expect((await follow("/video/walk"))[0]).toBe(200);
  await makeVideo(app.db, { slug: "124" });
  await oldAddresses.announce();
  await expect.poll(async () => (await follow("/video/124"))[0]).toBe(200);
});

it("refuses a host without a scheme", async () => {
  const { id } = await makeVideo(app.db);
  expect(await app.context.oldAddresses.check(id, ["www.old.example/clips/42.html"])).toEqual([
    "www.old.example/clips/42.html: must start with / or https://",
  ]);
});

it("knows every address of its own", () => {
  const own = app.routes.map(({ url }) => url).filter((url) => url !== "*" && url !== "/*");
  expect(
    own.filter((url) => !isOwnAddress(canonicalAddress(url.replace(/:\w+|\*/g, "x")) ?? "")),
  ).toEqual([]);
});

it("reads a map of redirects", async () => {
  const { id } = await makeVideo(app.db, { slug: "mapped" });
  const path = join(makeFolder("map"), "map.csv");
  await writeFile(
    path,
    `from,to\n/clips/1,mapped\nhttps://old.example/clips/2?a=b,${id}\n/clips/3,none\n/home,mapped\n`,
  );
  expect(await app.context.siteImports.addRedirects(path)).toEqual({
    count: 2,
    problems: [
      'line 4: /clips/3: there is no video "none"',
      "line 5: /home: this site has a page at that address",
    ],
  });
  await expect.poll(() => follow("/clips/2?a=b")).toEqual([301, "/video/mapped"]);
});

it("checks a map for videos that will be imported, without adding anything", async () => {
  await makeVideo(app.db, { slug: "here" });
  const { siteImports, oldAddresses } = app.context;
  const folder = await writeTree(makeFolder("trial"), { "Cat/coming.mp4": "video" });
  const source = await siteImports.open(folder, { from: null, actorsFrom: null });
  const map = join(makeFolder("map"), "map.csv");
  const rows = ["/trial/1,here", "/trial/2,Cat/coming.mp4", "/trial/3,unknown"];
  await writeFile(map, `${[...rows, "/trial/1,Cat/coming.mp4", "/home,here"].join("\n")}\n`);
  expect(await siteImports.addRedirects(map, { trialFor: source })).toEqual({
    count: 2,
    problems: [
      'line 3: /trial/3: there is no video "unknown"',
      "line 4: /trial/1: already leads to here",
      "line 5: /home: this site has a page at that address",
    ],
  });
  await oldAddresses.refresh();
  expect((await follow("/trial/1"))[0]).toBe(404);
  await expect(siteImports.addRedirects(`${map}.none`)).rejects.toThrow(
    "the map of redirects can't be read",
  );
});
