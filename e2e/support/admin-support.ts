import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, open, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { randomBytes } from "node:crypto";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import type { TestApp } from "../../test/app.ts";
import { encodeClip } from "../../test/clip-cache.ts";
import { makeUser, testPassword } from "../../test/factories/make-user.ts";
import { aac, h264, picture, tone } from "../../test/sample-videos.ts";
import { newVisitor, signInAs, type Visitor } from "./browser.ts";

const axeSource = await readFile(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** A request that a test lets fail leaves this line in the console. */
export const provoked = /Failed to load resource/;

export interface Admin extends Visitor {
  email: string;
}

/** An administrator, signed in by the form. */
export async function newAdmin(
  app: TestApp,
  browser: Browser,
  options: BrowserContextOptions & { expectProblems?: RegExp; url?: string } = {},
): Promise<Admin> {
  const { url = app.url, ...rest } = options;
  const { email } = await makeUser(app.database.db, { role: "ADMIN" });
  const visitor = await newVisitor(browser, url, rest);
  await signInAs(visitor.page, email, testPassword);
  return { ...visitor, email };
}

interface Finding {
  id: string;
  nodes: { html: string }[];
}

/** axe over what is shown, or over the parts that `within` selects. */
export async function expectAccessible(page: Page, within?: string): Promise<void> {
  await page.evaluate(axeSource);
  const findings = await page.evaluate(async (selector) => {
    const { axe } = globalThis as unknown as {
      axe: { run(context: string | object): Promise<{ violations: Finding[] }> };
    };
    return (await axe.run(selector ?? { exclude: [] })).violations;
  }, within);
  expect(
    findings.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`),
  ).toEqual([]);
}

/** Writes a few seconds of moving bars with a tone, H.264 and AAC, to a path. */
export async function makeClip(path: string, durationS = 2): Promise<void> {
  const clip = await encodeClip("clip.mp4", [
    ...[...picture("320x180", durationS, 24), ...tone(durationS), ...h264, ...aac],
    ...["-movflags", "+faststart"],
  ]);
  await copyFile(clip, path);
}

/** Enlarges an MP4 by a `free` box of random bytes at its end; the video stays the same. */
export async function padClip(path: string, bytes: number): Promise<void> {
  const file = await open(path, "a");
  try {
    const header = Buffer.alloc(8);
    header.writeUInt32BE(bytes, 0);
    header.write("free", 4, "latin1");
    await file.write(header);
    const part = randomBytes(1024 * 1024);
    for (let left = bytes - 8; left > 0; left -= part.length) {
      // Another beginning for each part, so that a swapped one would be seen.
      part.writeUInt32BE(left % 0xffffffff, 0);
      await file.write(part, 0, Math.min(left, part.length));
    }
  } finally {
    await file.close();
  }
}

export async function sha256Of(source: string | NodeJS.ReadableStream): Promise<string> {
  const hash = createHash("sha256");
  const stream = typeof source === "string" ? createReadStream(source) : source;
  for await (const chunk of stream) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
