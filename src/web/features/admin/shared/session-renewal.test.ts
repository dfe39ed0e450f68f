// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setPageToken, sealOf } from "#web/lib/page-token.ts";
import { adminSend, withTicket } from "./admin-api.ts";
import { reloading } from "./session-renewal.ts";

/** Requests so far, with the page token that they had. */
let sent: string[] = [];
/** Token that the server accepts. */
let valid = "";
/** Token for which the server exchanges an earlier one; null if another user has signed in. */
let renewed: string | null = null;

const respond = (status: number, body: unknown) =>
  Promise.resolve(new Response(JSON.stringify(body), { status }));

beforeEach(() => {
  sent = [];
  setPageToken("first");
  vi.stubGlobal("fetch", (path: string, { headers, method }: RequestInit) => {
    const token = new Headers(headers).get("x-page-token");
    sent.push(`${method} ${path} ${token}`);
    if (path === "/api/auth/page-token") {
      return renewed === null
        ? respond(403, { code: "page_token_required" })
        : respond(200, { token: renewed });
    }
    if (token !== valid) return respond(403, { code: "page_token_required" });
    return respond(200, { ticket: `ticket-of-${token}` });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  reloading.end(false);
});

const save = () => adminSend("/api/settings", { method: "PUT", body: {} });

test("renews the page token once for all requests after the user has signed in again", async () => {
  valid = "second";
  renewed = "second";
  await Promise.all([save(), save()]);
  expect(sent).toEqual([
    "PUT /api/settings first",
    "PUT /api/settings first",
    "POST /api/auth/page-token first",
    "PUT /api/settings second",
    "PUT /api/settings second",
  ]);
  // The next seal belongs to the new session.
  expect(await sealOf("text")).not.toBe("");
});

test("asks to reload the page after another user has signed in", async () => {
  valid = "second";
  renewed = null;
  const asked = vi.spyOn(reloading, "ask").mockResolvedValue(false);
  await expect(save()).rejects.toMatchObject({ code: "page_token_required" });
  expect(asked).toHaveBeenCalledTimes(1);
  expect(sent.filter((request) => request.startsWith("PUT"))).toHaveLength(1);
});

test("adds one ticket to the addresses of several downloads", async () => {
  valid = "first";
  expect(await withTicket("/api/a")).toBe("/api/a?ticket=ticket-of-first");
  expect(await withTicket("/api/b?days=7")).toBe("/api/b?days=7&ticket=ticket-of-first");
  expect(sent).toEqual(["POST /api/auth/ticket first"]);
});
