import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, open } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import type { Role } from "#contract/accounts/auth.ts";
import { createClient, type TestApp } from "#test/app.ts";
import { encodeClip } from "#test/clip-cache.ts";
import { makeUser, testOrigin, testPassword } from "#test/factories/make-user.ts";
import { shared } from "#test/shared.ts";
import { aac, h264, picture, tone, videoForm } from "#test/sample-videos.ts";
import { openVisitor, type Visitor, type VisitorOptions } from "./browser.ts";

export type Admin = Visitor & { email: string };

/** Signs in as an administrator or another role and opens a page of the back office. */
export async function openAdmin(
  app: TestApp,
  options: VisitorOptions & { url?: string; path?: string; role?: Role } = {},
): Promise<Admin> {
  const { url = app.url, path = "/admin", role = "ADMIN", ...rest } = options;
  const user = await makeUser(app.db, { role });
  const { token } = await app.context.auth.signIn(user.email, testPassword, testOrigin);
  const { id, email, name } = user;
  const visitor = await openVisitor(url, {
    ...rest,
    storageState: {
      cookies: [
        {
          name: "session",
          value: token,
          domain: new URL(url).hostname,
          path: "/",
          httpOnly: true,
          secure: false,
          sameSite: "Lax" as const,
          expires: -1,
        },
      ],
      origins: [
        {
          origin: url,
          // Entry stored by the sign-in form.
          localStorage: [{ name: "user", value: JSON.stringify({ id, email, name, role }) }],
        },
      ],
    },
  });
  await visitor.page.goto(path);
  return { ...visitor, email };
}

/** Signs in an administrator for all tests of a file. */
export const useAdmin = (app: TestApp, options: Parameters<typeof openAdmin>[1] = {}): Admin =>
  shared(
    () => openAdmin(app, options),
    (admin) => admin.end(),
  );

/** Fills in and sends the form of the sign-in page, which is open. */
export async function signInOn(page: Page, email: string, password = testPassword): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Returns the current code of an authenticator app. @param secret as the page shows it. */
export const codeOf = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(" ", "")) }).generate();

/** Writes an H.264 and AAC clip of a few seconds with moving bars and a tone. */
export async function makeClip(path: string, durationS = 2): Promise<void> {
  const clip = await encodeClip("clip.mp4", [
    ...[...picture("320x180", durationS, 24), ...tone(durationS), ...h264, ...aac],
    ...["-movflags", "+faststart"],
  ]);
  await copyFile(clip, path);
}

/** Uploads a video in one request. @returns its id. */
export async function uploadVideo(
  app: TestApp,
  path: string,
  fields: Record<string, string>,
): Promise<string> {
  const form = await videoForm(path, fields);
  const client = createClient(app.url, await app.signIn());
  const { status, text, json } = await client.call("POST", "/api/videos", form);
  if (status !== 201) throw new Error(`The upload got ${status}: ${text}`);
  return json.id;
}

/** Enlarges an MP4 with a `free` box of random bytes at its end. The video stays the same. */
export async function padClip(path: string, bytes: number): Promise<void> {
  const file = await open(path, "a");
  try {
    const header = Buffer.alloc(8);
    header.writeUInt32BE(bytes, 0);
    header.write("free", 4, "latin1");
    await file.write(header);
    const part = randomBytes(1024 * 1024);
    for (let left = bytes - 8; left > 0; left -= part.length) {
      // Each part starts differently, so that a swap would be noticed.
      part.writeUInt32BE(left % 0xffffffff, 0);
      await file.write(part, 0, Math.min(left, part.length));
    }
  } finally {
    await file.close();
  }
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
