import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient, startTestApp, type TestApp } from "../app.ts";
import { makeUser, testPassword } from "../factories/make-user.ts";
import { root } from "../harness/server-process.ts";
import { runFuzz } from "./run-fuzz.ts";
import { seedSite, type SeededSite } from "./seed-site.ts";

let app: TestApp;
let site: SeededSite;
let email: string;
beforeAll(async () => {
  app = await startTestApp({
    env: { TRUST_PROXY: "127.0.0.1", WRITE_LIMITS: "0" },
    logLevel: "silent",
  });
  const { db } = app.database;
  site = await seedSite(db);
  email = (await makeUser(db, { role: "ADMIN" })).email;
});
afterAll(() => app.stop());

const signIn = async () => {
  const client = createClient(app.url);
  await client.call("POST", "/api/auth/signin", { email, password: testPassword });
  return `session=${client.jar.get("session") ?? ""}`;
};

// Runs as a visitor first, because the admin's run publishes drafts.
it.each([
  ["visitor", 1],
  ["admin", 2],
] as const)(
  "responds to 1,000 drawn calls of a %s as documented, and reveals nothing",
  async (identity, seed) => {
    const { findings, statuses } = await runFuzz({
      url: app.url,
      identity,
      calls: 1000,
      seed,
      site,
      signIn,
      secrets: [app.dataDir, root],
    });
    expect(findings).toEqual([]);
    expect(statuses.get(200)).toBeGreaterThan(100);
  },
  300_000,
);
