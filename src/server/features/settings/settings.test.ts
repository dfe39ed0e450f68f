import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/database.ts";
import { createSettingsFeature } from "./settings.feature.ts";

const unused = () => Promise.reject(new Error("no files here"));
let database: TestDatabase;
let feature: ReturnType<typeof createSettingsFeature>;
beforeAll(async () => {
  database = await createTestDatabase();
  feature = createSettingsFeature({
    db: database.db,
    storage: { createScratch: unused, putFile: unused, delete: unused },
    media: { makeIcon: unused },
    source: { getPage: async () => "" },
    configuredSiteUrl: "http://localhost",
    changed: async () => undefined,
  });
});
afterAll(() => database.drop());

const rename = (siteName: string) =>
  database.db.updateTable("settings").set({ site_name: siteName }).execute();
const publicName = async () => (await feature.settings.getPublic()).siteName;

test("public settings come from memory until a change of them is reported", async () => {
  await rename("First");
  expect(await publicName()).toBe("First");
  await rename("Second");
  feature.invalidate?.(new Set(["videos"]));
  expect(await publicName()).toBe("First");
  expect((await feature.settings.get()).siteName).toBe("Second");
  feature.invalidate?.(new Set(["settings"]));
  expect(await publicName()).toBe("Second");
  await rename("Third");
  feature.invalidate?.("everything");
  expect(await publicName()).toBe("Third");
});

test("a read that fails is not kept", async () => {
  feature.invalidate?.("everything");
  await sql`alter table settings rename to settings_away`.execute(database.db);
  await expect(feature.settings.siteUrl()).rejects.toThrow("settings");
  await sql`alter table settings_away rename to settings`.execute(database.db);
  expect(await feature.settings.siteUrl()).toBe("http://localhost");
});
