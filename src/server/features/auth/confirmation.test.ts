import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { confirmedChanges, confirmedMinutes } from "#contract/accounts/policy.ts";
import { confirmSession, createClient, useTestApp } from "#test/app.ts";
import { testPassword } from "#test/factories/make-user.ts";

let now = Date.now();
const sent: { to: string; text: string }[] = [];

const app = useTestApp({
  work: true,
  clock: { now: () => now, date: () => new Date(now) },
  env: { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "kinora@example.com" },
});
beforeAll(async () => {
  app.context.mailer.send = async ({ to, text }) => void sent.push({ to, text });
});
beforeEach(() => {
  sent.length = 0;
});

type Client = ReturnType<typeof createClient>;
const signIn = async (role: "OWNER" | "ADMIN" | "EDITOR") =>
  createClient(app.url, await app.signIn(role));
const letWindowPass = () => {
  now += confirmedMinutes * 60_000 + 1000;
};
const outcome = ({ status, json }: Awaited<ReturnType<Client["call"]>>) => [status, json?.code];
const fill = (path: string) => path.replaceAll(/:\w+/g, "01900000-0000-7000-8000-000000000000");

describe("a change that needs a confirmation", () => {
  it("is refused five minutes after the password was confirmed, on every such route", async () => {
    const owner = await signIn("OWNER");
    letWindowPass();
    const routes = app.routes.filter(({ confirms }) => confirms !== null);
    for (const { method, url } of routes) {
      const refused = await owner.call(method, fill(url));
      expect({ method, url, refused: outcome(refused) }).toEqual({
        method,
        url,
        refused: [403, "confirmation_required"],
      });
    }
    await confirmSession(owner);
    for (const { method, url } of routes) {
      const { json } = await owner.call(method, fill(url));
      expect({ method, url, code: json?.code }).not.toMatchObject({
        code: "confirmation_required",
      });
    }
    // The site's address is a field of a larger call.
    const declared = new Set([...routes.map(({ confirms }) => confirms), "site-address"]);
    expect(declared).toEqual(new Set(confirmedChanges.map(({ change }) => change)));
  });

  it("is refused for an API token", async () => {
    const owner = await signIn("OWNER");
    const body = { name: "everything", scopes: ["settings.edit", "audit.read"] };
    const { token } = (await owner.call("POST", "/api/account/tokens", body)).json;
    const headers = { authorization: `Bearer ${token}` };
    for (const { method, url, confirms } of app.routes) {
      if (confirms === null) continue;
      const refused = await createClient(app.url).call(method, fill(url), undefined, headers);
      expect({ method, url, refused: outcome(refused) }).toEqual({
        method,
        url,
        refused: [403, "forbidden"],
      });
    }
    const settings = await createClient(app.url).call(
      "POST",
      "/api/settings",
      { siteUrl: "https://evil.example" },
      headers,
    );
    expect(outcome(settings)).toEqual([403, "forbidden"]);
  });

  it("stays refused after a wrong password and for the user's other sessions", async () => {
    const owner = await signIn("OWNER");
    letWindowPass();
    const confirm = (body: unknown) => owner.call("POST", "/api/account/confirm", body);
    expect((await confirm({ password: "wrong" })).json.issues).toMatchObject([
      { path: "password" },
    ]);
    expect((await confirm({})).status).toBe(400);
    const change = () => owner.call("POST", "/api/account/recovery-codes");
    expect(outcome(await change())).toEqual([403, "confirmation_required"]);
    const { email } = (await owner.call("GET", "/api/account")).json;
    const other = createClient(app.url);
    await other.call("POST", "/api/auth/signin", { email, password: testPassword });
    expect(outcome(await change())).toEqual([403, "confirmation_required"]);
    await confirmSession(owner);
    expect((await change()).status).toBe(409);
  });

  it("responds with success even if its notice can't be queued", async () => {
    const owner = await signIn("OWNER");
    const enqueue = vi
      .spyOn(app.context.queue, "enqueue")
      .mockRejectedValueOnce(new Error("The connection was lost"));
    const body = { name: "backup", scopes: ["audit.read"] };
    const { status, json } = await owner.call("POST", "/api/account/tokens", body);
    expect([status, typeof json.token]).toEqual([201, "string"]);
    expect(enqueue).toHaveBeenCalledOnce();
    enqueue.mockRestore();
  });

  it("shows the link of an invitation even if its mail can't be prepared", async () => {
    const owner = await signIn("OWNER");
    const settings = vi
      .spyOn(app.context.settings, "getPublic")
      .mockRejectedValue(new Error("The connection was lost"));
    const body = { email: "guest@example.test", role: "EDITOR" };
    const { status, json } = await owner.call("POST", "/api/admin/people/invitations", body);
    settings.mockRestore();
    expect([status, json.isMailed]).toEqual([201, false]);
    expect(json.path).toMatch(/^\/auth\/invitation\?token=/);
  });

  it("is mailed to every owner, including one who is no longer an owner because of it", async () => {
    const [owner, other] = [await signIn("OWNER"), await signIn("OWNER")];
    const emailOf = async (client: Client) => (await client.call("GET", "/api/account")).json.email;
    const [by, changed] = [await emailOf(owner), await emailOf(other)];
    const { people } = (await owner.call("GET", "/api/admin/people")).json;
    const { id } = people.find(({ email }: { email: string }) => email === changed);
    const demoted = await owner.call("PUT", `/api/admin/people/${id}`, { role: "EDITOR" });
    expect(demoted.status).toBe(200);
    const line = `Changed the role of ${changed} from OWNER to EDITOR`;
    const mails = () => sent.filter(({ text }) => text.includes(line));
    const recipients = () => mails().map(({ to }) => to);
    await expect
      .poll(recipients, { timeout: 20_000 })
      .toEqual(expect.arrayContaining([by, changed]));
    expect(mails()[0]?.text).toContain(`${by} changed who can access Kinora:`);
  });

  it("is mailed to the old address of an owner who changes it", async () => {
    const owner = await signIn("OWNER");
    const old = (await owner.call("GET", "/api/account")).json.email;
    const changed = await owner.call("POST", "/api/account/email", { email: `new-${old}` });
    expect(changed.status).toBe(204);
    const line = `Changed their email address from ${old} to new-${old}`;
    const recipients = () => sent.filter(({ text }) => text.includes(line)).map(({ to }) => to);
    await expect
      .poll(recipients, { timeout: 20_000 })
      .toEqual(expect.arrayContaining([old, `new-${old}`]));
  });

  it("isn't mailed again if the first mail may be delivered", async () => {
    const owner = await signIn("OWNER");
    const { email } = (await owner.call("GET", "/api/account")).json;
    const lost: string[] = [];
    const { queue, mailer } = app.context;
    const send = vi.spyOn(mailer, "send").mockImplementation(({ to }) => {
      lost.push(to);
      return Promise.reject(Object.assign(new Error("away"), { code: "ECONNECTION" }));
    });
    await owner.call("POST", "/api/account/tokens", { name: "backup", scopes: ["audit.read"] });
    await expect.poll(() => lost, { timeout: 20_000 }).toContain(email);
    const isQueued = () => queue.hasUnfinished(["account.notify-owners"], { to: email });
    await expect.poll(isQueued, { timeout: 10_000 }).toBe(false);
    send.mockRestore();
  });
});

describe("the address of the site", () => {
  const form = {
    siteName: "Kinora",
    siteDescription: null,
    siteUrl: null,
    logoUrl: null,
    faviconUrl: null,
  };
  const save = (client: Client, values: object) => client.call("POST", "/api/settings", values);

  it("requires a confirmed owner for a change, and nothing for an unchanged address", async () => {
    const [owner, admin] = [await signIn("OWNER"), await signIn("ADMIN")];
    const siteUrl = "https://video.example";
    expect(outcome(await save(admin, { siteUrl }))).toEqual([403, "forbidden"]);
    letWindowPass();
    expect((await save(admin, form)).status).toBe(200);
    expect(outcome(await save(owner, { siteUrl }))).toEqual([403, "confirmation_required"]);
    await confirmSession(owner);
    expect((await save(owner, { siteUrl })).json.siteUrl).toBe(siteUrl);
    expect((await save(admin, { ...form, siteUrl })).status).toBe(200);
    expect(outcome(await save(admin, form))).toEqual([403, "forbidden"]);
    await expect
      .poll(() => sent.map(({ text }) => text).join("\n"), { timeout: 20_000 })
      .toContain(`Changed the site URL from none to ${siteUrl}`);
    await save(owner, { siteUrl: null });
  });
});
