import { beforeEach, describe, expect, it } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeUser, testOrigin, testPassword } from "#test/factories/make-user.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { forged } from "#test/harness/forged.ts";
import { newApiToken } from "#server/http/access/session-cookie.ts";

let now = Date.now();
const dayMs = 24 * 3600_000;

const app = useTestApp({ clock: { now: () => now, date: () => new Date(now) } });
beforeEach(() => {
  now += 1000;
});

async function withToken(role: "ADMIN" | "EDITOR" | "ANALYST", scopes: string[]) {
  const user = await makeUser(app.db, { role });
  const { token: session } = await app.context.auth.signIn(user.email, testPassword, testOrigin);
  const client = createClient(app.url, `session=${session}`);
  const body = { name: "CI שרת <b>", scopes, days: 30 };
  const created = await client.call("POST", "/api/account/tokens", body);
  const token: string = created.json?.token ?? "";
  /** Calls as a program does: without cookies and with one header. */
  const program = (method: string, path: string, sent?: unknown) =>
    createClient(app.url).call(method, path, sent, { authorization: `Bearer ${token}` });
  return { user, client, created, token, program };
}

describe("an API token", () => {
  it("allows exactly the calls of its scopes and its user's role", async () => {
    const { program, created } = await withToken("EDITOR", ["content.read", "content.publish"]);
    expect(created.status).toBe(201);
    const draft = await makeVideo(app.db, { is_published: false });
    expect((await createClient(app.url).call("GET", `/api/videos/${draft.id}`)).status).toBe(404);
    expect((await program("GET", `/api/videos/${draft.id}`)).status).toBe(200);
    const publish = await program("PUT", `/api/videos/${draft.id}`, { isPublished: true });
    expect(publish.status).toBe(200);
    const edit = await program("PUT", `/api/videos/${draft.id}`, { title: "Changed" });
    expect([edit.status, edit.json.message]).toEqual([
      403,
      "This API token doesn't have the scope content.edit.",
    ]);
    expect((await program("DELETE", `/api/videos/${draft.id}`)).status).toBe(403);
    expect((await program("GET", "/api/settings")).status).toBe(403);
  });

  it("changes videos with the scope of the change alone", async () => {
    const { id } = await makeVideo(app.db, { is_published: false });
    const target = { ids: [id] };
    const remove = { action: { kind: "delete" }, target };
    const tag = { action: { kind: "add_labels", label: "tags", names: ["Slow"] }, target };
    const editor = await withToken("EDITOR", ["content.edit"]);
    const statusOf = async (...call: Parameters<typeof editor.program>) =>
      (await editor.program(...call)).status;
    expect(await statusOf("PUT", `/api/videos/${id}`, { title: "Changed" })).toBe(200);
    expect(await statusOf("PUT", `/api/videos/${id}`, { isPublished: true })).toBe(403);
    expect(await statusOf("PUT", `/api/videos/${id}`, { visibility: "unlisted" })).toBe(403);
    const both = await editor.program("PUT", `/api/videos/${id}`, {
      title: "x",
      isPublished: true,
    });
    expect([both.status, both.json.message]).toEqual([
      403,
      "This API token doesn't have the scope content.publish.",
    ]);
    expect(await statusOf("POST", "/api/admin/bulk", tag)).toBe(202);
    expect(await statusOf("POST", "/api/admin/bulk", remove)).toBe(403);

    const { program } = await withToken("EDITOR", ["content.remove"]);
    expect((await program("POST", "/api/admin/bulk", tag)).status).toBe(403);
    expect((await program("PUT", `/api/videos/${id}`, { title: "x" })).status).toBe(403);
    const started = await program("POST", "/api/admin/bulk", remove);
    expect(started.status).toBe(202);
    const cancel = `/api/admin/bulk/${started.json.id}/cancel`;
    expect(await statusOf("POST", cancel)).toBe(403);
    expect((await program("POST", cancel)).status).toBe(200);
  });

  it("restores published and scheduled videos only with the scope content.publish", async () => {
    const remover = await withToken("EDITOR", ["content.remove"]);
    const both = await withToken("EDITOR", ["content.remove", "content.publish"]);
    const removeAndRestore = async (values: Parameters<typeof makeVideo>[1]) => {
      const { id } = await makeVideo(app.db, values);
      expect((await remover.program("DELETE", `/api/videos/${id}`)).status).toBe(204);
      const { status } = await remover.program("POST", `/api/admin/trash/${id}/restore`);
      const again = await both.program("POST", `/api/admin/trash/${id}/restore`);
      return [status, again.status];
    };
    const planned = { is_published: false, publish_at: new Date(now + dayMs) };
    expect(await removeAndRestore({ is_published: true })).toEqual([403, 200]);
    expect(await removeAndRestore(planned)).toEqual([403, 200]);
    expect(await removeAndRestore({ is_published: false })).toEqual([200, 404]);
  });

  it("sees drafts in lists that are cached for visitors and puts none into the cache", async () => {
    const { program } = await withToken("EDITOR", ["content.read"]);
    await makeVideo(app.db, { title: "Only for programs", is_published: false });
    const visitor = createClient(app.url);
    const path = "/api/videos?search=programs";
    for (let n = 0; n < 2; n += 1) {
      expect((await visitor.call("GET", path)).json.total).toBe(0);
      const seen = await program("GET", path);
      expect(seen.json.total).toBe(1);
      expect(seen.headers.get("cache-control")).toBe("private, no-store");
    }
  });

  it("can't access its user's account or other users", async () => {
    const { program } = await withToken("ADMIN", ["content.read", "settings.edit"]);
    expect((await program("GET", "/api/settings")).status).toBe(200);
    for (const [method, path] of [
      ["GET", "/api/account"],
      ["POST", "/api/account/tokens"],
      ["POST", "/api/auth/password"],
      ["GET", "/api/admin/people"],
      ["POST", "/api/admin/people/invitations"],
    ] as const) {
      expect({ path, status: (await program(method, path)).status }).toEqual({ path, status: 403 });
    }
  });

  it("ends on its expiry date, when it is revoked, and when its user is removed", async () => {
    const first = await withToken("EDITOR", ["content.read"]);
    const see = async ({ program }: typeof first) =>
      (await program("GET", "/api/admin/videos")).status;
    const { id } = first.created.json.apiToken;
    const list = await first.client.call("GET", "/api/account/tokens");
    expect(list.json).toMatchObject([{ id, name: "CI שרת <b>", scopes: ["content.read"] }]);
    expect(JSON.stringify(list.json)).not.toContain(first.token);
    expect(await see(first)).toBe(200);
    expect((await first.client.call("DELETE", `/api/account/tokens/${id}`)).status).toBe(204);
    expect(await see(first)).toBe(401);

    const second = await withToken("EDITOR", ["content.read"]);
    expect(await see(second)).toBe(200);
    now += 31 * dayMs;
    expect(await see(second)).toBe(401);
  });

  it("is valid for a year by default", async () => {
    const { client } = await withToken("EDITOR", ["content.read"]);
    const body = { name: "default", scopes: ["content.read"] };
    const { apiToken } = (await client.call("POST", "/api/account/tokens", body)).json;
    expect(Date.parse(apiToken.expiresAt) - Date.parse(apiToken.createdAt)).toBe(365 * dayMs);
  });

  it("ends when its user is disabled or signed out everywhere and stays invalid when the user is enabled", async () => {
    const owner = createClient(app.url, await app.signIn("OWNER"));
    const see = async ({ program }: Awaited<ReturnType<typeof withToken>>) =>
      (await program("GET", "/api/admin/videos")).status;
    const disabled = await withToken("EDITOR", ["content.read"]);
    const person = `/api/admin/people/${disabled.user.id}`;
    for (const isDisabled of [true, false]) {
      expect((await owner.call("PUT", person, { isDisabled })).status).toBe(200);
      expect(await see(disabled)).toBe(401);
    }
    const byOwner = await withToken("EDITOR", ["content.read"]);
    await owner.call("DELETE", `/api/admin/people/${byOwner.user.id}/sessions`);
    expect(await see(byOwner)).toBe(401);
    const itself = await withToken("EDITOR", ["content.read"]);
    await itself.client.call("DELETE", "/api/account/sessions");
    expect(await see(itself)).toBe(401);
  });

  it("ends with a password change unless the user keeps it", async () => {
    const change = async (keepsTokens?: boolean) => {
      const { client, program } = await withToken("EDITOR", ["content.read"]);
      const passwords = { currentPassword: testPassword, newPassword: "rather unusual words" };
      const changed = await client.call("POST", "/api/auth/password", {
        ...passwords,
        keepsTokens,
      });
      expect(changed.status).toBe(204);
      return (await program("GET", "/api/admin/videos")).status;
    };
    expect(await change()).toBe(401);
    expect(await change(false)).toBe(401);
    expect(await change(true)).toBe(200);
  });

  it("can be listed and revoked by owners even if another user created it", async () => {
    const { user, created, program } = await withToken("EDITOR", ["content.read"]);
    const { id } = created.json.apiToken;
    const owner = createClient(app.url, await app.signIn("OWNER"));
    const admin = createClient(app.url, await app.signIn("ADMIN"));
    expect((await admin.call("GET", "/api/admin/tokens")).status).toBe(403);
    expect((await admin.call("DELETE", `/api/admin/tokens/${id}`)).status).toBe(403);
    const { json } = await owner.call("GET", "/api/admin/tokens");
    expect(json).toContainEqual(expect.objectContaining({ id, userEmail: user.email }));
    expect((await owner.call("DELETE", `/api/admin/tokens/${id}`)).status).toBe(204);
    expect((await program("GET", "/api/admin/videos")).status).toBe(401);
    expect((await owner.call("DELETE", `/api/admin/tokens/${id}`)).status).toBe(404);
  });

  it("refuses forged tokens, missing permissions and managing users", async () => {
    const { created } = await withToken("ANALYST", ["content.edit"]);
    expect([created.status, created.json.issues[0].path]).toEqual([400, "scopes"]);
    const people = await withToken("ADMIN", ["people.manage"]);
    expect(people.created.status).toBe(400);
    const { token } = await withToken("EDITOR", ["content.read"]);
    for (const wrong of [forged(token), "kinora_x", newApiToken(app.context.secret)]) {
      const headers = { authorization: `Bearer ${wrong}` };
      const { status } = await createClient(app.url).call(
        "GET",
        "/api/admin/videos",
        undefined,
        headers,
      );
      expect({ wrong, status }).toEqual({ wrong, status: 401 });
    }
  });
});
