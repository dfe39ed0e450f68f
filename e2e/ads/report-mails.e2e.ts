import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient, startTestApp, type TestApp } from "#test/app.ts";
import { expectAccessible, expectAccessibleInBothSchemes } from "../support/accessible.ts";
import { openAdmin } from "../support/admin-support.ts";
import { userAgent } from "../support/ads-site.ts";
import { closeVisitors, openVisitor, phone, screens } from "../support/browser.ts";
import { startMailServer } from "../support/mail-server.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Noon of a day in UTC. */
let nowMs = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
const clock = { now: () => nowMs, date: () => new Date(nowMs) };
const today = () => new Date(nowMs).toISOString().slice(0, 10);

let mail: Awaited<ReturnType<typeof startMailServer>>;
let app: TestApp;
/** Another process of the same site. */
let second: TestApp;
let admin: ReturnType<typeof createClient>;

beforeAll(async () => {
  mail = await startMailServer();
  app = await startTestApp({ pages: true, clock, env: mail.env });
  second = await startTestApp({ clock, env: mail.env, besides: app });
  admin = createClient(app.url, await app.signIn());
});
afterAll(async () => {
  await closeVisitors();
  await second?.stop();
  await app?.stop();
  await mail?.stop();
});

async function post(path: string, body: object) {
  const response = await admin.call("POST", path, body);
  expect([path, response.status, response.text]).toEqual([path, 201, response.text]);
  return response.json;
}

async function sendDue(of = app): Promise<void> {
  const job = of.context.jobs.find(({ name }) => name === "ads.mail-reports");
  await job?.run({}, { signal: new AbortController().signal });
}

/** The messages since the last call, by recipient. */
function takeInbox(): Map<string, string> {
  const taken = mail.inbox.splice(0);
  const byRecipient = new Map(
    taken.map((text) => [/^To: (.*)$/m.exec(text)?.[1]?.trim() ?? "", text]),
  );
  expect(byRecipient.size).toBe(taken.length);
  return byRecipient;
}

/** The attached file of a message. */
function fileOf(message: string): string {
  const [, part = ""] = message.split(/^Content-Disposition: attachment/m);
  const [, body = ""] = part.split(/\r?\n\r?\n/);
  return Buffer.from(body.split("--")[0] ?? "", "base64").toString("utf8");
}

test("sends an ordered report once across all processes until its recipient unsubscribes", async () => {
  const { id: advertiserId } = await post("/api/advertisers", { name: "Acme & Sons" });
  const priced = { priceModel: "cpm", price: 500, currency: "EUR" };
  const { id: campaignId } = await post("/api/campaigns", {
    advertiserId,
    name: "=Autumn",
    ...priced,
  });
  const ad = { title: "Coats", type: "banner", placement: "header", campaignId };
  const { id: adId } = await post("/api/ads", ad);
  const visitor = createClient(app.url);
  const browser = { "user-agent": userAgent };
  const { serve } = (
    await visitor.call("GET", "/api/spots/public?placement=header", undefined, browser)
  ).json;
  await visitor.call("POST", `/api/spots/${adId}/impression`, { serve }, browser);

  const { page } = await openAdmin(app, {
    viewport: screens.laptop,
    path: "/admin/campaigns/report",
  });
  await page.getByText("No email reports yet.").waitFor();
  // By keyboard alone.
  await page.getByRole("button", { name: "Add Report" }).press("Enter");
  const form = page.getByRole("dialog");
  await form.getByLabel("Stats for").selectOption({ label: "Advertiser: Acme & Sons" });
  await form.getByLabel("Frequency").selectOption("day");
  await form.getByLabel("Recipients").fill("ada at example");
  await form.getByRole("button", { name: "Create" }).press("Enter");
  await form.getByText("must be email addresses").waitFor();
  await form.getByLabel("Recipients").fill("ada@example.com\nbob@example.com, ADA@example.com");
  await expectAccessibleInBothSchemes(page, "[role=dialog]");
  await form.getByRole("button", { name: "Create" }).press("Enter");
  await form.waitFor({ state: "detached" });
  await page.getByRole("row", { name: /Acme & Sons.*Daily.*bob@example\.com.*Not sent/ }).waitFor();

  // The day before ended before the report was added for it.
  await sendDue();
  expect(mail.inbox).toEqual([]);
  const day = today();
  nowMs += dayMs;
  await Promise.all([sendDue(app), sendDue(second), sendDue(app), sendDue(second)]);
  await sendDue(second);
  const messages = takeInbox();
  expect([...messages.keys()].toSorted()).toEqual(["ADA@example.com", "bob@example.com"]);
  const message = messages.get("ADA@example.com") ?? "";
  expect(message).toContain(`Subject: Kinora: Ad report for Acme & Sons, ${day}`);
  expect(message).toContain("<td");
  expect(message).toContain("0.50 EUR");
  expect(message).toContain("Acme &amp; Sons");
  const [head = "", ...rows] = fileOf(message).trimEnd().split("\r\n");
  expect(head.split(",").slice(0, 4)).toEqual(["key", "name", "campaign", "advertiser"]);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toContain(`${campaignId},'=Autumn,'=Autumn,Acme & Sons,`);
  await page.reload();
  await page.getByRole("row", { name: new RegExp(`${day}: sent to 2`) }).waitFor();

  // Link scanners that only open the address unsubscribe nobody.
  const path = /\/partner\/mails#[\w.-]+/.exec(message)?.[0] ?? "";
  expect(message).toMatch(/^List-Unsubscribe:\s+<http/m);
  const partner = await openVisitor(app.url, { ...phone, expectProblems: /404/ });
  await partner.page.goto(path);
  await partner.page.getByRole("heading", { name: "Email reports" }).waitFor();
  await expectAccessible(partner.page);
  await partner.page.getByRole("button", { name: "Unsubscribe" }).press("Enter");
  await partner.page.getByText("ADA@example.com won't receive these reports anymore.").waitFor();
  await partner.page.reload();
  await partner.page.getByRole("button", { name: "Unsubscribe" }).click();
  await partner.page.getByText("This link is no longer valid.").waitFor();
  const forged = await createClient(app.url).call("POST", "/api/report-mails/end", {
    key: `${adId}.${"x".repeat(43)}`,
  });
  expect(forged.status).toBe(404);

  nowMs += dayMs;
  await sendDue();
  expect([...takeInbox().keys()]).toEqual(["bob@example.com"]);

  await page.reload();
  await page.getByRole("button", { name: "Remove the report for Acme & Sons" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("No email reports yet.").waitFor();
  nowMs += dayMs;
  await sendDue();
  expect(mail.inbox).toEqual([]);
  const log = await app.database.db.selectFrom("audit_log").select("action").execute();
  const actions = log.map(({ action }) => action);
  expect(actions).toEqual(expect.arrayContaining(["report-mail.created", "report-mail.deleted"]));
});

test("doesn't repeat a mail started before a crash, and retries or stops on refusals", async () => {
  const recipients = ["crashed@example.com", "busy@example.com", "gone@example.com"];
  const { id } = await post("/api/report-mails", { rhythm: "day", recipients });
  mail.refused.set("busy@example.com", 450).set("gone@example.com", 550);
  const day = today();
  nowMs += dayMs;
  const { db } = app.database;
  const crashed = await db
    .selectFrom("report_mail_recipients")
    .select("id")
    .where("email", "=", "crashed@example.com")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("report_mail_sends")
    .values({
      recipient_id: crashed.id,
      period_start: day,
      state: "sending",
      changed_at: new Date(nowMs),
    })
    .execute();
  await sendDue();
  await sendDue();
  expect(mail.inbox).toEqual([]);
  const last = async () => (await admin.call("GET", "/api/report-mails")).json.mails[0].last;
  expect(await last()).toEqual({ periodStart: day, sent: 0, waiting: 2, failed: 1 });

  mail.refused.clear();
  nowMs += 10 * minuteMs;
  await sendDue();
  expect([...takeInbox().keys()]).toEqual(["busy@example.com"]);
  expect(await last()).toEqual({ periodStart: day, sent: 1, waiting: 1, failed: 1 });
  expect((await admin.call("DELETE", `/api/report-mails/${id}`)).status).toBe(204);
});

test("refuses a report about an unknown campaign, and explains a missing mail server", async () => {
  const base = { rhythm: "week", recipients: ["ada@example.com"] };
  for (const body of [
    { ...base, campaignId: "01900000-0000-7000-8000-000000000000" },
    { ...base, rhythm: "year" },
    { ...base, recipients: [] },
  ]) {
    expect((await admin.call("POST", "/api/report-mails", body)).status).toBe(400);
  }
  const editor = createClient(app.url, await app.signIn("EDITOR"));
  expect((await editor.call("GET", "/api/report-mails")).status).toBe(403);

  const silent = await startTestApp({ pages: true, clock, besides: app });
  const { page } = await openAdmin(silent, { ...phone, path: "/admin/campaigns/report" });
  await page.getByText("This site can't send email. Set SMTP_URL and MAIL_FROM").waitFor();
  expect(await page.getByRole("button", { name: "Add Report" }).count()).toBe(0);
  await expectAccessible(page);
  const client = createClient(silent.url, await silent.signIn());
  expect((await client.call("POST", "/api/report-mails", base)).status).toBe(409);
  await silent.stop();
});
