import { expect, it } from "vitest";
import { useClient, createClient, useTestApp } from "#test/app.ts";

const app = useTestApp({ pages: true });
const admin = useClient(app);
const visitor = () => createClient(app.url);

const page = (address: string, values = {}) => ({
  address,
  place: "footer",
  isPublished: true,
  isIndexed: true,
  texts: { en: { title: `About ${address}`, markdown: "# Hello\n\n<b>raw</b>" } },
  ...values,
});
const create = (body: object) => admin.call("POST", "/api/admin/pages", body);

it("shows a published page as safe HTML, and drafts nowhere", async () => {
  const { status, json } = await create(page("about"));
  expect(status).toBe(201);
  const shown = await visitor().call("GET", "/api/pages/about");
  expect(shown.json).toEqual({
    title: "About about",
    html: "<h1>Hello</h1>\n<p>&lt;b&gt;raw&lt;/b&gt;</p>",
  });
  const change = await admin.call("PUT", `/api/admin/pages/${json.id}`, {
    ...page("about", { isPublished: false }),
    version: json.version,
  });
  expect(change.status).toBe(200);
  expect((await visitor().call("GET", "/api/pages/about")).status).toBe(404);
  expect((await visitor().call("GET", "/api/settings/public")).json.footerLinks).toBeUndefined();
  const stale = await admin.call("PUT", `/api/admin/pages/${json.id}`, {
    ...page("about"),
    version: json.version,
  });
  expect(stale).toMatchObject({ status: 409, json: { code: "edit_conflict" } });
  expect((await admin.call("DELETE", `/api/admin/pages/${json.id}`)).status).toBe(204);
});

it("renders tables, footnotes, bare addresses and struck text, also in the terms and a preview", async () => {
  const markdown = [
    "| a | b |\n|---|--:|\n| 1 | <i>2</i> |",
    "Seen[^1] on https://a.example and ~~gone~~, ~not~.\n\n[^1]: The source.",
    "- [ ] open",
    "[x](javascript:alert(1)) <script>alert(1)</script>",
  ].join("\n\n");
  const texts = { en: { title: "All", markdown }, de: { title: "Alles", markdown } };
  const { json } = await create(page("all", { texts }));
  const shown = (await visitor().call("GET", "/api/pages/all")).json;
  const html: string = shown.html;
  expect(html).toContain('<th align="right">b</th>');
  expect(html).toContain('<td align="right">&lt;i&gt;2&lt;/i&gt;</td>');
  expect(html).toContain('<a href="https://a.example">https://a.example</a>');
  expect(html).toContain("<del>gone</del>, ~not~.");
  expect(html).toContain("<li>[ ] open</li>");
  expect(html).toMatch(
    /<li id="user-content-fn-1">\s*<p>The source\. <a href="#user-content-fnref-1"/,
  );
  expect(html).toContain(">Footnotes</h2>");
  expect(shown.translations.de.html).toContain(">Fußnoten</h2>");
  expect(html).not.toMatch(/<(?:i|script|input)\b|javascript:/);
  const preview = await admin.call("POST", "/api/admin/pages/preview", { markdown });
  expect(preview.json.html).toBe(html);
  await admin.call("POST", "/api/settings", { terms: markdown });
  expect((await visitor().call("GET", "/api/pages/terms")).json.html).toBe(html);
  await admin.call("POST", "/api/settings", { terms: null });
  await admin.call("DELETE", `/api/admin/pages/${json.id}`);
});

it("redirects former addresses until another page takes them", async () => {
  const follow = async (path: string) => {
    const response = await fetch(app.url + path, { redirect: "manual" });
    return [response.status, response.headers.get("location")];
  };
  const { json } = await create(page("imprint"));
  const path = `/api/admin/pages/${json.id}`;
  const { json: moved } = await admin.call("PUT", path, {
    ...page("company"),
    version: json.version,
  });
  await expect.poll(() => follow("/pages/imprint")).toEqual([301, "/pages/company"]);
  expect(await follow("/de/pages/imprint?x=1")).toEqual([301, "/de/pages/company?x=1"]);
  expect(await follow("/pages/company")).toEqual([200, null]);
  // Links that the browser follows without loading a document.
  expect((await visitor().call("GET", "/api/pages/imprint")).json.title).toBe("About company");
  const taker = await create(page("imprint", { isPublished: false }));
  await expect.poll(() => follow("/pages/imprint")).toEqual([404, null]);
  await admin.call("PUT", `/api/admin/pages/${taker.json.id}`, {
    ...page("imprint"),
    version: taker.json.version,
  });
  await expect.poll(() => follow("/pages/imprint")).toEqual([200, null]);
  await admin.call("DELETE", `/api/admin/pages/${taker.json.id}`);
  await admin.call("PUT", path, { ...page("imprint"), version: moved.version });
  await expect.poll(() => follow("/pages/imprint")).toEqual([200, null]);
  expect(await follow("/pages/company")).toEqual([301, "/pages/imprint"]);
  await admin.call("DELETE", path);
  await expect.poll(() => follow("/pages/company")).toEqual([404, null]);
});

it("refuses addresses of routes and of other pages by name", async () => {
  await create(page("help"));
  for (const [address, message] of [
    ["terms", "/terms"],
    ["admin", "/admin"],
    ["video", "/video"],
    ["help", "another page"],
    ["Bad Address", "letters a to z"],
  ]) {
    const { status, json } = await create(page(address ?? ""));
    expect(status).toBe(400);
    expect(json.issues[0]).toMatchObject({ path: "address" });
    expect(json.issues[0].message).toContain(message);
  }
});

it("links pages in their order, in the languages that they have", async () => {
  const texts = { de: { title: "Hilfe", markdown: "Hallo" }, en: { title: "Aid", markdown: "Hi" } };
  const first = await create(page("faq", { place: "menu", texts }));
  const second = await create(page("legal", { isIndexed: false }));
  const list = await admin.call("PUT", "/api/admin/pages/order", {
    ids: [second.json.id, first.json.id],
  });
  const addresses = list.json.pages.map((each: { address: string }) => each.address);
  expect(addresses.slice(0, 2)).toEqual(["legal", "faq"]);
  const links = (await visitor().call("GET", "/api/settings/public")).json;
  expect(links.footerLinks[0]).toEqual({ href: "/pages/legal", text: "About legal" });
  expect(links.menuLinks).toEqual([
    { href: "/pages/faq", text: "Aid", translations: { de: { text: "Hilfe" } } },
  ]);
  expect((await visitor().call("GET", "/api/pages/faq")).json).toMatchObject({
    title: "Aid",
    translations: { de: { title: "Hilfe", html: "<p>Hallo</p>" } },
  });
  expect(await app.context.ownPages.isUnlisted("/pages/legal")).toBe(true);
  expect(await app.context.ownPages.isUnlisted("/pages/faq")).toBe(false);
  expect(await app.context.ownPages.listIndexed()).toContain("faq");
  expect(await app.context.ownPages.listIndexed()).not.toContain("legal");
});

it("holds at most 20 pages, also if several users add one at once", async () => {
  const added = await Promise.all(
    Array.from({ length: 25 }, (_, at) => create(page(`page-${at}`, { isPublished: false }))),
  );
  const refused = added.filter(({ status }) => status !== 201);
  expect(refused[0]?.json.message).toContain("limit of 20 pages");
  expect((await admin.call("GET", "/api/admin/pages")).json.pages).toHaveLength(20);
});

it("refuses a ground on which text or the accent is unreadable", async () => {
  const save = (body: object) => admin.call("POST", "/api/settings", body);
  const grey = await save({ groundColor: "#808080" });
  expect(grey.json.issues[0]).toMatchObject({ path: "groundColor" });
  expect(grey.json.issues[0].message).toContain("unreadable");
  expect((await save({ groundColor: "#fff4d6", accentColor: "#c2410c" })).status).toBe(200);
  expect(await app.context.settings.current()).toMatchObject({ groundColor: "#fff4d6" });
  const pale = await save({ groundColor: "#232833" });
  expect(pale.json.issues[0].message).toContain("accent color has a contrast of only");
});
