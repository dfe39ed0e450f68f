import type { Page } from "playwright-core";
import { beforeAll } from "vitest";
import { startTestApp, type TestApp } from "#test/app.ts";
import { makeActor, makeCategory, makeTag } from "#test/factories/make-label.ts";
import { makeVideo } from "#test/factories/make-video.ts";
import { openVisitor, type Visitor, type VisitorOptions } from "./browser.ts";

const hourMs = 3600 * 1000;
export const videoCount = 30;

/** Grey pixel that serves as every thumbnail of the site. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=",
  "base64",
);

/**
 * Starts a site with 30 videos. The newest is called "Study 30". Every third is in Fractals, and
 * every fifth in Teen. Videos with higher numbers have fewer views and more likes.
 */
export async function startPublicSite(): Promise<TestApp> {
  const app = await startTestApp({ pages: true });
  const { db } = app;
  const fractals = await makeCategory(db, { name: "Fractals", slug: "fractals" });
  const teen = await makeCategory(db, { name: "Teen", slug: "teen" });
  const slow = await makeTag(db, { name: "slow", slug: "slow" });
  const ada = await makeActor(db, { name: "Ada Loom", slug: "ada-loom" });
  for (let number = 1; number <= videoCount; number += 1) {
    const at = new Date(Date.now() - (videoCount - number + 1) * hourMs);
    await makeVideo(
      db,
      {
        slug: `study-${number}`,
        title: `Study ${number}`,
        description: `The text of study ${number}.\nMore at https://example.org/${number}`,
        published_at: at,
        created_at: at,
        duration_s: 60 + number,
        views: 100_000 - number * 1000,
        likes: number,
        is_premium: number % 10 === 0,
        // The most viewed video has a preview.
        preview_key: number === 1 ? "preview.mp4" : null,
      },
      {
        categoryIds: [
          ...(number % 3 === 0 ? [fractals.id] : []),
          ...(number % 5 === 0 ? [teen.id] : []),
        ],
        tagIds: number % 2 === 0 ? [slow.id] : [],
        actorIds: number % 7 === 0 ? [ada.id] : [],
      },
    );
  }
  return app;
}

interface PublicSite {
  readonly app: TestApp;
  readonly url: string;
  /** Opens a page of the site as a new visitor. */
  visit(path: string, options?: VisitorOptions): Promise<Visitor>;
}

let shared: Promise<TestApp> | undefined;

/** Site of `startPublicSite` that all test files of a worker share. Tests must not change it. */
export function usePublicSite(defaults: VisitorOptions = {}): PublicSite {
  let app: TestApp;
  beforeAll(async () => {
    shared ??= startPublicSite();
    app = await shared;
  });
  return {
    get app() {
      return app;
    },
    get url() {
      return app.url;
    },
    async visit(path, options = {}) {
      const visitor = await openVisitor(app.url, { ...defaults, ...options });
      await serveThumbnails(visitor.page);
      await visitor.page.goto(path);
      return visitor;
    },
  };
}

/**
 * Serves a grey pixel for thumbnails and empty videos, because the videos have rows but no files.
 */
export async function serveThumbnails(page: Page): Promise<void> {
  await page.route("**/media/**", (route) =>
    /\.(webp|jpg|png)/.test(route.request().url())
      ? route.fulfill({ contentType: "image/png", body: pixel })
      : route.fulfill({ status: 200, contentType: "video/mp4", body: "" }),
  );
}

export const cards = (page: Page, prefix = "") =>
  page.locator(`main ul > li > a[href^='${prefix}/video/']`);

/** Returns the scroll position of the page, in pixels. */
export function scrolledTo(page: Page): Promise<number> {
  return page.evaluate(() => Math.round(window.scrollY));
}
