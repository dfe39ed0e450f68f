import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { useTestApp } from "#test/app.ts";
import { settingsInput } from "#contract/site/settings.ts";
import type { EfficientMode } from "#contract/videos/ladders.ts";
import { makeActor, makeTag } from "#test/factories/make-label.ts";
import type { Media } from "#server/media/media.ts";
import { createSettingsFeature } from "./settings.feature.ts";

const unchecked = () => undefined;
const actor = { user: { id: null, email: "test" }, requestId: "test" };
let deps: Parameters<typeof createSettingsFeature>[0];
let feature: ReturnType<typeof createSettingsFeature>;
let report: Media["report"];
const app = useTestApp();
beforeAll(async () => {
  const { media } = app.context;
  report = { ...media.report, hasSvtAv1: false };
  deps = {
    ...app.context,
    db: app.db,
    media: { ...media, report },
    configuredSiteUrl: "http://localhost",
    configuredMediaBytesPerHour: null,
    hasImportFolder: false,
  };
  feature = createSettingsFeature(deps);
});

const rename = (siteName: string) =>
  app.db.updateTable("settings").set({ site_name: siteName }).execute();
const publicName = async () => (await feature.settings.getPublic()).siteName;

test("reads public settings from memory until a change is reported", async () => {
  await rename("First");
  expect(await publicName()).toBe("First");
  await rename("Second");
  feature.invalidate?.(new Set(["videos"]));
  expect(await publicName()).toBe("First");
  expect((await feature.settings.readFresh()).siteName).toBe("Second");
  feature.invalidate?.(new Set(["settings"]));
  expect(await publicName()).toBe("Second");
  await rename("Third");
  feature.invalidate?.("everything");
  expect(await publicName()).toBe("Third");
});

test("doesn't cache a failed read", async () => {
  feature.invalidate?.("everything");
  await sql`alter table settings rename to settings_away`.execute(app.db);
  await expect(feature.settings.siteUrl()).rejects.toThrow("settings");
  await sql`alter table settings_away rename to settings`.execute(app.db);
  expect(await feature.settings.siteUrl()).toBe("http://localhost");
});

test("refuses settings based on an outdated version", async () => {
  const { settings } = feature;
  const { version } = await settings.readFresh();
  const saves = [{ trashDays: 3 }, { trashDays: 4 }, { trashDays: 5 }].map((input) =>
    settings.save({ ...input, version }, actor, unchecked),
  );
  const results = await Promise.allSettled(saves);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(
    results.flatMap((result) => (result.status === "rejected" ? result.reason.code : [])),
  ).toEqual(["edit_conflict", "edit_conflict"]);
  expect((await settings.readFresh()).version).toBe(version + 1);
});

test("watches the import folder only if there is one, and turns off without one", async () => {
  const { settings } = feature;
  const save = (watchFolder: boolean) => settings.save({ watchFolder }, actor, unchecked);
  await expect(save(true)).rejects.toThrow("This server doesn't have an import folder.");
  expect((await save(false)).watchFolder).toBe(false);
});

test("enables AV1 renditions if ffmpeg can encode them", async () => {
  const { settings } = feature;
  const save = (efficientRenditions: EfficientMode) =>
    settings.save({ efficientRenditions }, actor, unchecked);
  await expect(save("idle")).rejects.toThrow("without libsvtav1");
  report.hasSvtAv1 = true;
  expect((await save("idle")).efficientRenditions).toBe("idle");
  feature.invalidate?.("everything");
  expect(await settings.wantsEfficient()).toBe(true);
  // A server without SVT-AV1 still saves the other settings.
  report.hasSvtAv1 = false;
  expect((await save("idle")).efficientRenditions).toBe("idle");
  expect((await save("off")).efficientRenditions).toBe("off");
});

test.each([
  "https://user:secret@video.example",
  "https://video.example/videos",
  "https://video.example/?a=1",
  "https://video.example/#top",
  "ftp://video.example",
  "video.example",
])("refuses %s as the site URL", (siteUrl) => {
  expect(settingsInput.safeParse({ siteUrl }).error?.issues[0]?.message).toContain(
    "without a path",
  );
});

test("stores the site URL as an origin, and reads older ones without their path", async () => {
  expect(settingsInput.parse({ siteUrl: "HTTPS://Video.Example:443/" }).siteUrl).toBe(
    "https://video.example",
  );
  const old = { site_url: "https://user@video.example/path?a#b" };
  await app.db.updateTable("settings").set(old).execute();
  feature.invalidate?.("everything");
  expect(await feature.settings.siteUrl()).toBe("https://video.example");
});

test("saves, and renames at start, a time zone that the database knows by its newer name", async () => {
  await app.db.connection().execute(async (db) => {
    await sql`create temp view pg_timezone_names as
      select * from pg_catalog.pg_timezone_names where name <> 'Asia/Calcutta'`.execute(db);
    const { settings, start } = createSettingsFeature({ ...deps, db });
    const save = (timeZone: string) =>
      settings.save(settingsInput.parse({ timeZone }), actor, unchecked);
    expect((await save("Asia/Calcutta")).timeZone).toBe("Asia/Kolkata");
    await db.updateTable("settings").set({ time_zone: "Asia/Calcutta" }).execute();
    await start?.();
    expect((await settings.readFresh()).timeZone).toBe("Asia/Kolkata");
    expect((await save("Europe/Kyiv")).timeZone).toBe("Europe/Kyiv");
    await sql`drop view pg_timezone_names`.execute(db);
  });
});

test("pins labels by path or URL, follows renames and merges, and refuses unknown ones", async () => {
  const { settings } = feature;
  const { db } = app;
  const beach = await makeTag(db, { name: "Beach" });
  const ada = await makeActor(db, { name: "Ada" });
  const save = (pinnedLabels: string[]) =>
    settings.save(settingsInput.parse({ pinnedLabels }), actor, unchecked);
  await save(["https://site.test/de/tags/beach?cursor=x", "/actors/Ada/", "tags/beach"]);
  feature.invalidate?.("everything");
  expect((await settings.getPublic()).pinnedLabels).toEqual(["tags/beach", "actors/ada"]);
  for (const path of ["beach", "tags/", "videos/beach"]) {
    expect(settingsInput.safeParse({ pinnedLabels: [path] }).success).toBe(false);
  }
  expect(
    settingsInput.safeParse({ pinnedLabels: ["tags/a", "tags/b", "tags/c", "tags/d"] }).success,
  ).toBe(false);
  await expect(save(["tags/unknown"])).rejects.toMatchObject({
    code: "invalid",
    issues: [{ path: "pinnedLabels" }],
  });
  const pinned = async () => (await settings.readFresh()).pinnedLabels;
  const { labels } = app.context;
  await labels.update("tags", beach.id, { name: "Shore" }, actor);
  expect(await pinned()).toEqual(["tags/shore", "actors/ada"]);
  const coast = await makeTag(db, { name: "Coast" });
  await labels.merge("tags", beach.id, coast.id, actor);
  expect(await pinned()).toEqual(["tags/coast", "actors/ada"]);
  await labels.remove("actors", ada.id, actor);
  expect(await pinned()).toEqual(["tags/coast"]);
});
