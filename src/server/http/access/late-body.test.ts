import { expect, it } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { openConnection } from "#test/raw-request.ts";
import { actionsOf } from "./policy.ts";

const app = useTestApp({ env: { WRITE_LIMITS: "0" } });

interface Call {
  path: string;
  method?: string;
  body: string;
  type?: string;
  credentials: string;
  headers?: string[];
}

/** Sends a call without the last byte of its body. */
function openCall(call: Call) {
  const { path, method = "POST", body, type = "application/json", credentials } = call;
  const { socket, received } = openConnection(app.url);
  const head = [
    `${method} ${path} HTTP/1.1`,
    "host: site",
    credentials,
    ...(call.headers ?? []),
    `content-type: ${type}`,
    `content-length: ${body.length}`,
    "connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, -1)}`);
  return {
    received,
    /** Sends the last byte. @returns the status of the response. */
    async finish() {
      socket.write(body.slice(-1));
      return Number((await received).split(" ")[1]);
    },
  };
}

const beginCall = (call: Call) => openCall(call).finish;

/** Waits until the server has checked the head of every call on its open connections. */
async function untilHeadsAreRead(credentials: string): Promise<void> {
  const [name = "", value = ""] = credentials.split(": ");
  for (let i = 0; i < 20; i++)
    await fetch(`${app.url}/api/auth/session`, { headers: { [name]: value } });
}

const signOut = (cookie: string) => createClient(app.url, cookie).call("POST", "/api/auth/signout");

it("refuses every call whose session ends before its body has arrived", async () => {
  const cookie = await app.signIn("OWNER");
  const streamed =
    /import|picture|thumbnail|\/file$|logo|favicon|captions$|uploads|^\/api\/videos$/;
  const calls = app.routes.filter(
    ({ method, url, policy, confirms }) =>
      ["POST", "PUT"].includes(method) &&
      (policy === "user" || actionsOf(policy).length > 0) &&
      confirms === null &&
      !streamed.test(url),
  );
  expect(calls.length).toBeGreaterThan(20);
  const pending = calls.map(({ method, url }) =>
    beginCall({
      method,
      path: url.replaceAll(/:\w+/g, "x"),
      body: "{}",
      credentials: `cookie: ${cookie}`,
    }),
  );
  await untilHeadsAreRead(`cookie: ${cookie}`);
  await signOut(cookie);
  const statuses = await Promise.all(pending.map((finish) => finish()));
  expect(calls.map(({ url }, i) => `${statuses[i]} ${url}`)).toEqual(
    calls.map(({ url }) => `401 ${url}`),
  );
});

it("discards a file if its session ends before the file has arrived", async () => {
  const { id } = await makeVideo(app.db);
  const label = await createClient(app.url, await app.signIn()).call("POST", "/api/categories", {
    name: "Late",
  });
  const cookie = await app.signIn("OWNER");
  const form = [
    "--x",
    'content-disposition: form-data; name="video"; filename="a.mp4"',
    "",
    "not a video",
    "--x--",
    "",
  ].join("\r\n");
  const files = [
    { path: "/api/videos", type: "multipart/form-data; boundary=x", body: form },
    {
      path: `/api/admin/videos/${id}/file`,
      type: "multipart/form-data; boundary=x",
      body: form,
    },
    {
      path: `/api/categories/${label.json.id}/picture`,
      method: "PUT",
      type: "image/png",
      body: "x",
    },
    { path: `/api/admin/videos/${id}/thumbnail`, method: "PUT", type: "image/png", body: "x" },
    { path: "/api/settings/logo", method: "PUT", type: "image/png", body: "x" },
    { path: "/api/ads/pictures", type: "image/png", body: "x" },
    { path: "/api/admin/imports/tags", type: "text/csv", body: "name\nlate\n" },
    {
      path: `/api/admin/videos/${id}/captions?language=en`,
      type: "text/vtt",
      body: "WEBVTT\n\n00:00.000 --> 00:01.000\nlate\n",
    },
  ];
  const pending = files.map((file) => beginCall({ ...file, credentials: `cookie: ${cookie}` }));
  await untilHeadsAreRead(`cookie: ${cookie}`);
  await signOut(cookie);
  const statuses = await Promise.all(pending.map((finish) => finish()));
  expect(files.map(({ path }, i) => `${statuses[i]} ${path}`)).toEqual(
    files.map(({ path }) => `401 ${path}`),
  );
});

it("applies a lowered role and a revoked API token to calls whose body hasn't arrived", async () => {
  const owner = createClient(app.url, await app.signIn("OWNER"));
  const cookie = await app.signIn("ADMIN");
  const admin = createClient(app.url, cookie);
  const { user } = (await admin.call("GET", "/api/auth/session")).json;
  const { token, apiToken } = (
    await admin.call("POST", "/api/account/tokens", { name: "t", scopes: ["content.edit"] })
  ).json;
  const credentials = `authorization: Bearer ${token}`;
  const category = (name: string, sender: string) =>
    beginCall({ path: "/api/categories", body: JSON.stringify({ name }), credentials: sender });
  const lowered = category("Lowered", credentials);
  await untilHeadsAreRead(credentials);
  await owner.call("PUT", `/api/admin/people/${user.id}`, { role: "USER" });
  expect(await lowered()).toBe(403);

  await owner.call("PUT", `/api/admin/people/${user.id}`, { role: "ADMIN" });
  const revoked = category("Revoked", credentials);
  await untilHeadsAreRead(credentials);
  await owner.call("DELETE", `/api/admin/tokens/${apiToken.id}`);
  expect(await revoked()).toBe(401);
  const names = (await createClient(app.url).call("GET", "/api/categories")).json;
  expect(names.map((item: { name: string }) => item.name)).not.toContain("Lowered");
});

/** Starts a resumable upload and sends all but the last byte of its only part. */
async function beginPart(credentials: string) {
  const [name = "", value = ""] = credentials.split(": ");
  const created = await fetch(`${app.url}/api/uploads`, {
    method: "POST",
    headers: { [name]: value, "tus-resumable": "1.0.0", "upload-length": "9" },
  });
  const call = openCall({
    path: created.headers.get("location") ?? "",
    method: "PATCH",
    type: "application/offset+octet-stream",
    headers: ["tus-resumable: 1.0.0", "upload-offset: 0"],
    body: "not video",
    credentials,
  });
  await untilHeadsAreRead(credentials);
  return call;
}

it("closes the connection of a resumable upload when its session ends", async () => {
  const cookie = await app.signIn("OWNER");
  const { received } = await beginPart(`cookie: ${cookie}`);
  await signOut(cookie);
  expect(await received).toBe("");
});

it("refuses the last part of an upload whose API token was revoked", async () => {
  const owner = createClient(app.url, await app.signIn("OWNER"));
  const { token, apiToken } = (
    await owner.call("POST", "/api/account/tokens", { name: "t", scopes: ["content.edit"] })
  ).json;
  const { finish } = await beginPart(`authorization: Bearer ${token}`);
  await owner.call("DELETE", `/api/admin/tokens/${apiToken.id}`);
  expect(await finish()).toBe(401);
});
