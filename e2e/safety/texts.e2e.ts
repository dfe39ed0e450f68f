import { beforeAll, describe, expect, it } from "vitest";
import { namedPages } from "#web/features/admin/admin-pages.ts";
import { confirmSession, createClient, useClient } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { openAdmin, provoked } from "../support/admin-support.ts";
import { openVisitor, phone } from "../support/browser.ts";
import { serveThumbnails } from "../support/public-site.ts";
import { usePages } from "../support/shared-site.ts";

/**
 * Every text field accepts a script, right-to-left text and 10,000 characters, or explains why it
 * doesn't. Accepted values are displayed as text.
 */

const script = `<script>window.hasRun=1</script><img src=x onerror="window.hasRun=1">"'`;
const texts = { script, rightToLeft: "שלום \u202e מימין <b>", long: "x".repeat(10_000) };

let address = 0;
/** Ids of the objects with the fields below. */
let ids: Record<"video" | "spare" | "report" | "advertiser" | "import", string>;

const app = usePages({ env: { TRUST_PROXY: "127.0.0.1" } });
const client = useClient(app, "OWNER");
beforeAll(async () => {
  const values = { thumbnail_key: null, progressive_key: null, duration_s: 600 };
  const video = await makeVideo(app.db, { ...values, slug: "hostile", title: "Hostile" });
  const spare = await makeVideo(app.db, { ...values, slug: "spare", title: "Spare" });
  await client.call("POST", "/api/settings", { comments: "open", takedownLog: true });
  const report = await asVisitor(`/api/videos/spare/reports`, { reason: "other" });
  const advertiser = await client.call("POST", "/api/advertisers", { name: "First" });
  ids = {
    video: video.id,
    spare: spare.id,
    report: report.json.reference,
    advertiser: advertiser.json.id,
    import: "",
  };
});

/** Sends a visitor's call from a new address, so that no limits apply. */
function asVisitor(path: string, body: object) {
  address += 1;
  const from = { "x-forwarded-for": `10.9.${Math.floor(address / 200)}.${(address % 200) + 1}` };
  return createClient(app.url).call("POST", path, body, from);
}

const post = (path: string, body: object) => client.call("POST", path, body);
const put = (path: string, body: object) => client.call("PUT", path, body);
const settings = (body: object) => post("/api/settings", body);
const notice = {
  ground: "copyright",
  addresses: "/video/spare",
  text: "Mine",
  name: "Ada",
  email: "ada@example.com",
  isInGoodFaith: true,
  isAccurate: true,
  signature: "Ada",
};
const takedown = (body: object) => asVisitor("/api/takedowns", { ...notice, ...body });
let number = 0;
const unique = () => `code-${(number += 1)}`;
const referral = (body: object) =>
  post("/api/referrals", { name: "Flyer", code: unique(), target: "/home", ...body });
const campaign = (body: object) =>
  post("/api/campaigns", { name: "Autumn", advertiserId: ids.advertiser, ...body });
const ad = (body: object) =>
  post("/api/ads", {
    title: "Sale",
    type: "banner",
    placement: "header",
    isActive: false,
    ...body,
  });
const token = async (name: string) => {
  await confirmSession(client);
  return post("/api/account/tokens", { name, scopes: ["content.read"], days: 7 });
};
const captions = (query: object, body = "WEBVTT\n\n00:01.000 --> 00:02.000\nText\n") =>
  fetch(
    `${app.url}/api/admin/videos/${ids.video}/captions?${new URLSearchParams({ language: "en", ...query })}`,
    {
      method: "POST",
      headers: {
        cookie: [...client.jar].map((pair) => pair.join("=")).join("; "),
        "content-type": "text/vtt",
      },
      body,
    },
  ).then(async (response) => ({ status: response.status, json: await response.json() }));

type Reply = Promise<{ status: number; json: { message?: string; issues?: Issue[] } | null }>;
interface Issue {
  path: string;
  message: string;
}

/**
 * Text fields. For a script, right-to-left text and 10,000 characters, in this order, `+` means that
 * the field accepts the text and `-` that it rejects it.
 */
const fields: [field: string, taken: string, send: (text: string) => Reply][] = [
  [
    "report: text",
    "++-",
    (text) => asVisitor("/api/videos/hostile/reports", { reason: "other", text }),
  ],
  [
    "report: email",
    "---",
    (email) => asVisitor("/api/videos/hostile/reports", { reason: "other", email }),
  ],
  ["report: reason", "---", (reason) => asVisitor("/api/videos/hostile/reports", { reason })],
  ["takedown: addresses", "---", (addresses) => takedown({ addresses })],
  ["takedown: text", "++-", (text) => takedown({ text })],
  ["takedown: name", "++-", (name) => takedown({ name })],
  ["takedown: organisation", "++-", (organisation) => takedown({ organisation })],
  ["takedown: postalAddress", "++-", (postalAddress) => takedown({ postalAddress })],
  ["takedown: email", "---", (email) => takedown({ email })],
  ["takedown: signature", "++-", (signature) => takedown({ signature })],
  ["comment: text", "++-", (text) => asVisitor("/api/videos/hostile/comments", { text })],
  [
    "comment: name",
    "-+-",
    (name) => asVisitor("/api/videos/hostile/comments", { name, text: "Hello" }),
  ],
  ["transfer: code", "---", (code) => asVisitor("/api/transfers/claim", { code })],
  ["sign-in: email", "---", (email) => asVisitor("/api/auth/signin", { email, password: "x" })],
  [
    "sign-in: password",
    "---",
    (password) => asVisitor("/api/auth/signin", { email: "a@b.c", password }),
  ],
  [
    "reset: token",
    "---",
    (text) => asVisitor("/api/auth/reset", { token: text, password: "long enough words" }),
  ],
  ["invitation: token", "---", (text) => asVisitor("/api/auth/invitation", { token: text })],
  ["report of an advertiser: key", "---", (key) => asVisitor("/api/spots/shared-report", { key })],
  ["report: note", "++-", (text) => post(`/api/admin/reports/${ids.report}/notes`, { text })],
  [
    "people: email of an invitation",
    "---",
    (email) => post("/api/admin/people/invitations", { email, role: "EDITOR" }),
  ],
  ["people: name of an invited user", "++-", acceptAs],
  ["account: name", "++-", (name) => put("/api/account", { name })],
  ["account: email", "---", (email) => post("/api/account/email", { email })],
  ["account: code from an app", "---", (code) => post("/api/account/totp/confirm", { code })],
  ["account: name of a token", "++-", token],
  [
    "webhook: address",
    "---",
    (url) => post("/api/admin/webhooks", { url, events: ["video.ready"] }),
  ],
  [
    "webhook: query of the address",
    "++-",
    (text) =>
      post("/api/admin/webhooks", { url: `https://example.com/?${text}`, events: ["video.ready"] }),
  ],
  ["captions: language", "---", (language) => captions({ language })],
  ["captions: name", "-+-", (name) => captions({ name })],
  ["captions: line", "+++", (text) => captions({}, `WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`)],
  ["video: title", "++-", (title) => put(`/api/videos/${ids.spare}`, { title })],
  ["video: address", "---", (slug) => put(`/api/videos/${ids.spare}`, { slug })],
  ["video: description", "+++", (description) => put(`/api/videos/${ids.spare}`, { description })],
  [
    "video: chapter",
    "+++",
    (text) =>
      put(`/api/videos/${ids.video}`, { description: `0:00 Start\n1:00 ${text}\n2:00 End` }),
  ],
  [
    "video: blocked country",
    "---",
    (text) => put(`/api/videos/${ids.video}`, { blockedCountries: [text] }),
  ],
  ["video: tag", "++-", (tag) => put(`/api/videos/${ids.video}`, { tags: [tag] })],
  ["video: actor", "++-", (actor) => put(`/api/videos/${ids.video}`, { actors: [actor] })],
  ["category: name", "++-", (name) => post("/api/categories", { name: name.slice(0, 9999) })],
  [
    "category: description",
    "+++",
    (description) => post("/api/categories", { name: unique(), description }),
  ],
  ["tag: description", "+++", (description) => post("/api/tags", { name: unique(), description })],
  [
    "actor: description",
    "+++",
    (description) => post("/api/actors", { name: unique(), description }),
  ],
  ["settings: siteName", "++-", (siteName) => settings({ siteName })],
  ["settings: siteDescription", "++-", (siteDescription) => settings({ siteDescription })],
  ["settings: siteUrl", "---", (siteUrl) => settings({ siteUrl })],
  ["settings: logoUrl", "---", (logoUrl) => settings({ logoUrl })],
  ["settings: faviconUrl", "---", (faviconUrl) => settings({ faviconUrl })],
  ["settings: sourceUrl", "---", (sourceUrl) => settings({ sourceUrl })],
  ["settings: securityContact", "---", (securityContact) => settings({ securityContact })],
  ["settings: accentColor", "---", (accentColor) => settings({ accentColor })],
  ["settings: terms", "+++", (terms) => settings({ terms })],
  ["settings: privacy", "+++", (privacy) => settings({ privacy })],
  ["settings: contact", "+++", (contact) => settings({ contact })],
  ["settings: adsTxt", "---", (adsTxt) => settings({ adsTxt })],
  ["settings: sellersJson", "---", (sellersJson) => settings({ sellersJson })],
  ["settings: adOrigins", "---", (origin) => settings({ adOrigins: [origin] })],
  ["settings: commentWords", "++-", (word) => settings({ commentWords: [word] })],
  ["settings: filterCategories", "++-", (name) => settings({ filterCategories: [name] })],
  ["settings: blockedCountries", "---", (text) => settings({ blockedCountries: [text] })],
  ["referral: name", "++-", (name) => referral({ name })],
  ["referral: code", "---", (code) => referral({ code })],
  ["referral: target", "---", (target) => referral({ target })],
  ["referral: note", "++-", (note) => referral({ note })],
  ["advertiser: name", "++-", (name) => post("/api/advertisers", { name })],
  [
    "advertiser: contact",
    "++-",
    (contact) => post("/api/advertisers", { name: unique(), contact }),
  ],
  ["advertiser: notes", "++-", (notes) => post("/api/advertisers", { name: unique(), notes })],
  ["campaign: name", "++-", (name) => campaign({ name })],
  ["campaign: word of competitors", "-+-", (separation) => campaign({ separation })],
  ["campaign: currency", "---", (currency) => campaign({ currency })],
  ["campaign: hours", "---", (hours) => campaign({ targetHours: [hours] })],
  ["campaign: country", "---", (country) => campaign({ targetCountries: [country] })],
  ["ad: title", "++-", (title) => ad({ title })],
  ["ad: description", "++-", (description) => ad({ description })],
  ["ad: link", "---", (linkUrl) => ad({ linkUrl })],
  ["ad: origin", "---", (origin) => ad({ origins: [origin] })],
];

async function acceptAs(name: string): Reply {
  const email = `${unique()}@example.com`;
  await confirmSession(client);
  const invited = await post("/api/admin/people/invitations", { email, role: "EDITOR" });
  const invitation = new URL(invited.json.path, app.url).searchParams.get("token");
  const body = { token: invitation, name, password: "rather unusual words" };
  return asVisitor("/api/auth/invitation/accept", body);
}

/** Built-in messages of the validator, which are meant for programmers. */
const unclear = /^(Too (big|small)|Invalid|expected)\b|regex|NaN|undefined/i;

describe("a text field", () => {
  it.each(fields)("%s", async (_, taken, send) => {
    let found = "";
    for (const text of Object.values(texts)) {
      const { status, json } = await send(text);
      found += status < 300 ? "+" : "-";
      if (status < 300) continue;
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      const said = [json?.message ?? "", ...(json?.issues ?? []).map(({ message }) => message)];
      for (const message of said) {
        if (message === "Invalid credentials") continue;
        expect(message.length).toBeGreaterThan(5);
        // Errors only repeat a small part of the input.
        expect(message.length).toBeLessThan(600);
        expect(message).not.toMatch(unclear);
      }
    }
    expect(found).toBe(taken);
  });
});

const publicPages = [
  ...["/home", "/video/hostile", "/video/spare", "/categories", "/tags", "/actors", "/terms"],
  ...["/privacy", "/contact", "/removals", "/takedown", "/search?search=script", "/feed/spare"],
];

it("shows entered markup as text: nothing runs and nothing is too wide for a phone", async () => {
  await put(`/api/videos/${ids.spare}`, {
    title: script,
    description: texts.long,
    tags: [script],
  });
  await put(`/api/videos/${ids.video}`, { description: script, actors: [texts.rightToLeft] });
  await settings({ siteName: script, siteDescription: texts.rightToLeft, terms: script });
  const visitor = await openVisitor(app.url, { ...phone, expectProblems: provoked });
  const admin = await openAdmin(app, { ...phone, expectProblems: provoked });
  await serveThumbnails(visitor.page);
  for (const [{ page }, paths] of [
    [visitor, publicPages],
    [
      admin,
      [
        ...namedPages.map(({ href }) => href),
        `/admin/videos/${ids.video}`,
        `/admin/videos/${ids.spare}`,
      ],
    ],
  ] as const) {
    for (const path of paths) {
      await page.goto(path);
      await page.waitForLoadState("networkidle");
      const found = await page.evaluate(() => ({
        hasRun: "hasRun" in window,
        excess: Math.max(0, document.documentElement.scrollWidth - window.innerWidth),
      }));
      expect({ path, ...found }).toEqual({ path, hasRun: false, excess: 0 });
    }
  }
  await admin.page.goto("/admin/reports");
  await admin.page
    .getByRole("button", { name: /^Open the report about/ })
    .first()
    .click();
  await admin.page
    .getByRole("dialog")
    .getByText("<script>window.hasRun=1</script>")
    .first()
    .waitFor();
  expect(await admin.page.evaluate(() => "hasRun" in window)).toBe(false);
});
