import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { createClient, startTestApp, type TestApp } from "#test/app.ts";
import { makeUser, testOrigin, testPassword } from "#test/factories/make-user.ts";
import { makeActor, makeCategory, makeTag } from "#test/factories/make-label.ts";
import { addCaptions, addClip, addShortClips, wholeLine } from "../../support/player-clips.ts";
import { limitPage, repeatedFailures, sessionStartLimitMs, withLimit } from "./driver-limits.ts";
import type { Engine, EngineName, EnginePage, OpenOptions } from "./engine-page.ts";
import { launchFirefox } from "./firefox-engine.ts";
import { launchWebKit } from "./webkit-engine.ts";

/** Site with files, jobs and ads, and a browser. All tests of an engine share them. */
export interface EngineSite {
  readonly app: TestApp;
  /** API client of an administrator. */
  readonly admin: ReturnType<typeof createClient>;
  open(path: string, options?: OpenOptions): Promise<EnginePage>;
  /** Opens a page of the back office as an administrator. */
  openAdmin(path: string, options?: OpenOptions): Promise<EnginePage>;
  /** Runs a test while the site has this ad and no other. It gets the ID of the ad. */
  withAd(values: Record<string, unknown>, run: (id: string) => Promise<void>): Promise<void>;
  /** Accepts these errors from pages of the current test, which causes them on purpose. */
  expectProblems(pattern: RegExp): void;
}

const isInstalled: Record<EngineName, () => boolean> = {
  firefox: () => process.env["FIREFOX_PATH"] !== undefined,
  webkit: () => process.env["WEBKIT_DRIVER_PATH"] !== undefined,
};

/** Runs the tests in one engine. Each test must leave its pages without errors. */
export function describeEngine(
  name: EngineName,
  suites: readonly ((site: EngineSite) => void)[],
): void {
  const retry = { count: 1, condition: repeatedFailures };
  describe.skipIf(!isInstalled[name]())(`in ${name}`, { retry }, () => {
    let app: TestApp;
    let engine: Engine;
    let admin: ReturnType<typeof createClient>;
    let pages: EnginePage[] = [];
    let expected: RegExp | null = null;
    let hasHung = false;
    const reportHang = () => {
      hasHung = true;
    };
    const launch = () => (name === "webkit" ? launchWebKit() : launchFirefox());

    beforeAll(async () => {
      [app, engine] = await Promise.all([startTestApp({ pages: true, work: true }), launch()]);
      admin = createClient(app.url, await app.signIn());
      await fillSite(app);
    });
    afterEach(async ({ task }) => {
      if (task.result?.state === "fail") reportHang();
      const problems = pages.flatMap((page) => [...page.problems]);
      await Promise.all(pages.map((page) => page.close().catch(reportHang)));
      pages = [];
      if (hasHung) {
        await engine.stop();
        engine = await launch();
        hasHung = false;
      }
      const pattern = expected;
      expected = null;
      expect(problems.filter((text) => pattern?.test(text) !== true)).toEqual([]);
    });
    afterAll(async () => {
      await engine?.stop();
      await app?.stop();
    });

    async function open(path: string, options: OpenOptions = {}): Promise<EnginePage> {
      const opened = await withLimit(`${name}: start a session`, sessionStartLimitMs, () =>
        engine.open(app.url, options),
      ).catch((error: unknown) => {
        reportHang();
        throw error;
      });
      const page = limitPage(opened, reportHang);
      pages.push(page);
      await page.goto(path);
      return page;
    }
    const site: EngineSite = {
      get app() {
        return app;
      },
      get admin() {
        return admin;
      },
      open,
      async openAdmin(path, options = {}) {
        const user = await makeUser(app.db);
        const { token } = await app.context.auth.signIn(user.email, testPassword, testOrigin);
        return open(path, { ...options, session: token });
      },
      async withAd(values, run) {
        const ad = { ignoresBreakRules: true, ...values };
        const made = await admin.call("POST", "/api/ads", ad);
        expect(made.status).toBe(201);
        try {
          await run(made.json.id);
        } finally {
          await admin.call("DELETE", `/api/ads/${made.json.id}`);
        }
      },
      expectProblems(pattern) {
        expected = pattern;
      },
    };
    for (const suite of suites) suite(site);
  });
}

/** Adds six clips with files, a long video with a ladder, captions and a mid-roll, and labels. */
async function fillSite(app: TestApp): Promise<void> {
  const category = await makeCategory(app.db, { name: "Ebony", slug: "ebony" });
  const tag = await makeTag(app.db, { name: "slow", slug: "slow" });
  const actor = await makeActor(app.db, { name: "Ada Loom", slug: "ada-loom" });
  await addShortClips(app, 6);
  const long = await addClip(
    app,
    "long",
    {
      title: "Northern lights",
      slug: "northern-lights",
      description: "A long night.",
      published_at: new Date(Date.now() - 3 * 24 * 3600 * 1000),
      views: 28_301,
    },
    { categoryIds: [category.id], tagIds: [tag.id], actorIds: [actor.id] },
  );
  await addCaptions(app, long.id, "language=en&label=English", wholeLine("Look up"));
}
