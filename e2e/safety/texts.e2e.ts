import { beforeAll, describe, expect, it } from "vitest";
import { confirmSession, createClient, useClient } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { openAdmin } from "../support/admin-support.ts";
import { openVisitor, phone, provoked } from "../support/browser.ts";
import { overflowPx } from "../support/page-width.ts";
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
const webhook = (body: object) => post("/api/admin/webhooks", { events: ["video.ready"], ...body });
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

type Body = Record<string, string>;
type Form = [form: string, send: (body: Body) => Reply, fields: Record<string, string>];

/** Returns the body with each value in a list of its own. */
const inLists = (body: Body): Record<string, string[]> =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, [value]]));

/**
 * Text fields by the call that sends them. For a script, right-to-left text and 10,000 characters,
 * in this order, `+` means that the field accepts the text and `-` that it rejects it.
 */
const forms: Form[] = [
  [
    "report",
    (body) => asVisitor("/api/videos/hostile/reports", { reason: "other", ...body }),
    { text: "++-", email: "---", reason: "---" },
  ],
  [
    "takedown",
    takedown,
    {
      ...{ addresses: "---", text: "++-", name: "++-", organisation: "++-" },
      ...{ postalAddress: "++-", email: "---", signature: "++-" },
    },
  ],
  [
    "comment",
    (body) => asVisitor("/api/videos/hostile/comments", { text: "Hello", ...body }),
    { text: "++-", name: "-+-" },
  ],
  ["transfer", (body) => asVisitor("/api/transfers/claim", body), { code: "---" }],
  [
    "sign-in",
    (body) => asVisitor("/api/auth/signin", { email: "a@b.c", password: "x", ...body }),
    { email: "---", password: "---" },
  ],
  [
    "reset",
    (body) => asVisitor("/api/auth/reset", { password: "long enough words", ...body }),
    { token: "---" },
  ],
  ["invitation", (body) => asVisitor("/api/auth/invitation", body), { token: "---" }],
  ["shared report", (body) => asVisitor("/api/spots/shared-report", body), { key: "---" }],
  ["note", (body) => post(`/api/admin/reports/${ids.report}/notes`, body), { text: "++-" }],
  [
    "people",
    (body) => post("/api/admin/people/invitations", { role: "EDITOR", ...body }),
    { email: "---" },
  ],
  ["invited user", ({ name = "" }) => acceptAs(name), { name: "++-" }],
  ["account", (body) => put("/api/account", body), { name: "++-" }],
  ["new address", (body) => post("/api/account/email", body), { email: "---" }],
  ["app", (body) => post("/api/account/totp/confirm", body), { code: "---" }],
  ["token", ({ name = "" }) => token(name), { name: "++-" }],
  ["webhook", webhook, { url: "---" }],
  [
    "webhook",
    ({ query = "" }) => webhook({ url: `https://example.com/?${query}` }),
    { query: "++-" },
  ],
  ["captions", captions, { language: "---", name: "-+-" }],
  [
    "captions",
    ({ line = "" }) => captions({}, `WEBVTT\n\n00:01.000 --> 00:02.000\n${line}\n`),
    { line: "+++" },
  ],
  [
    "video",
    (body) => put(`/api/videos/${ids.spare}`, body),
    { title: "++-", slug: "---", description: "+++" },
  ],
  [
    "video",
    ({ chapter = "" }) =>
      put(`/api/videos/${ids.video}`, { description: `0:00 Start\n1:00 ${chapter}\n2:00 End` }),
    { chapter: "+++" },
  ],
  [
    "video",
    (body) => put(`/api/videos/${ids.video}`, inLists(body)),
    { blockedCountries: "---", tags: "++-", actors: "++-" },
  ],
  [
    "category",
    ({ name = "" }) => post("/api/categories", { name: name.slice(0, 9999) }),
    { name: "++-" },
  ],
  ...["categories", "tags", "actors"].map((kind): Form => [
    kind,
    (body) => post(`/api/${kind}`, { name: unique(), ...body }),
    { description: "+++" },
  ]),
  [
    "settings",
    settings,
    {
      ...{ siteName: "++-", siteDescription: "++-", siteUrl: "---", logoUrl: "---" },
      ...{ faviconUrl: "---", sourceUrl: "---", securityContact: "---", accentColor: "---" },
      ...{ terms: "+++", privacy: "+++", contact: "+++", adsTxt: "---", sellersJson: "---" },
    },
  ],
  [
    "settings",
    (body) => settings(inLists(body)),
    { adOrigins: "---", commentWords: "++-", filterCategories: "++-", blockedCountries: "---" },
  ],
  ["referral", referral, { name: "++-", code: "---", target: "---", note: "++-" }],
  [
    "advertiser",
    (body) => post("/api/advertisers", { name: unique(), ...body }),
    { name: "++-", contact: "++-", notes: "++-" },
  ],
  ["campaign", campaign, { name: "++-", separation: "-+-", currency: "---" }],
  ["campaign", (body) => campaign(inLists(body)), { targetHours: "---", targetCountries: "---" }],
  ["ad", ad, { title: "++-", description: "++-", linkUrl: "---" }],
  ["ad", (body) => ad(inLists(body)), { origins: "---" }],
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
  const fields = forms.flatMap(([form, send, all]) =>
    Object.entries(all).map(([field, taken]) => ({ form, field, taken, send })),
  );
  it.each(fields)("$form: $field", async ({ field, taken, send }) => {
    let found = "";
    for (const text of Object.values(texts)) {
      const { status, json } = await send({ [field]: text });
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

// The pages of the back office are checked in `admin/pages.e2e.ts`.
it("shows entered markup as text: nothing runs and nothing is too wide for a phone", async () => {
  await put(`/api/videos/${ids.spare}`, {
    title: script,
    description: texts.long,
    tags: [script],
  });
  await put(`/api/videos/${ids.video}`, { description: script, actors: [texts.rightToLeft] });
  await settings({ siteName: script, siteDescription: texts.rightToLeft, terms: script });
  await settings({ privacy: texts.long, contact: `${texts.long}\n\n- ${texts.long}` });
  const options = { ...phone, expectProblems: provoked };
  const { page } = await openVisitor(app.url, options);
  await serveThumbnails(page);
  for (const path of publicPages) {
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    const hasRun = await page.evaluate(() => "hasRun" in window);
    const excessPx = await overflowPx(page);
    expect({ path, hasRun, excessPx }).toEqual({ path, hasRun: false, excessPx: 0 });
  }
  const admin = await openAdmin(app, { ...options, path: "/admin/reports" });
  const open = admin.page.getByRole("button", { name: /^Open the report about/ });
  await open.first().click();
  const report = admin.page.getByRole("dialog");
  await report.getByText("<script>window.hasRun=1</script>").first().waitFor();
  expect(await admin.page.evaluate(() => "hasRun" in window)).toBe(false);
});
