import { expect, test } from "vitest";
import { createClient, useTestApp, useClient } from "#test/app.ts";

const app = useTestApp({ pages: true });
const admin = useClient(app);

const read = async (path: string) => (await createClient(app.url).call("GET", path)).text;
const write = (language: string, id: string, text: string | null) =>
  admin.call("PUT", `/api/admin/texts/${language}/${id}`, { text });

test("shows an operator's text only on pages of its language, until it is reset", async () => {
  const before = await read("/tags");
  expect(before).toContain("Browse videos by keyword.");
  const own = `Pick a word </script><b>"now"</b> $& {x`;
  const saved = await write("en", "browse.tags.intro", own);
  expect([saved.status, saved.json.own]).toEqual([200, own]);
  await expect.poll(() => read("/tags")).toContain("Pick a word &lt;/script&gt;&lt;b&gt;");
  const page = await read("/tags");
  expect(page).toContain('data-texts="{&quot;browse.tags.intro&quot;');
  expect(page).not.toContain("<b>");
  expect(await read("/de/tags")).not.toContain("Pick a word");
  expect(await read("/de/tags")).not.toContain("data-texts");
  expect((await write("en", "browse.tags.intro", null)).json.own).toBeNull();
  await expect.poll(() => read("/tags")).toContain("Browse videos by keyword.");
  expect(await read("/tags")).not.toContain("data-texts");
});

test("keeps placeholders, refuses unknown texts, and lists all texts", async () => {
  const missing = await write("ar", "browse.tags.introOf", "بدون قيمة");
  expect([missing.status, missing.json.message]).toEqual([400, "Keep {name}"]);
  expect((await write("en", "browse.tags.unknown", "x")).status).toBe(404);
  expect((await write("en", "constructor", "x")).status).toBe(404);
  expect((await write("xx", "browse.tags.intro", "x")).status).toBe(400);
  expect((await write("en", "browse.tags.intro", "  ")).status).toBe(400);
  expect((await write("en", "browse.tags.intro", "\ud800")).status).toBe(400);
  await write("ar", "browse.tags.introOf", "الوسم: {name}");
  const { json } = await admin.call("GET", "/api/admin/texts?language=ar");
  expect(json).toContainEqual({
    id: "browse.tags.introOf",
    standard: expect.stringContaining("{name}"),
    own: "الوسم: {name}",
  });
  await write("ar", "layout.theme", "الشكل: {name}");
  await expect.poll(() => read("/ar/tags")).toContain("الشكل: تلقائي");
  const editor = createClient(app.url, await app.signIn("EDITOR"));
  expect((await editor.call("GET", "/api/admin/texts?language=ar")).status).toBe(403);
});
