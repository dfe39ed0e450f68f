import { expect, it } from "vitest";
import { makeUser, testOrigin, testPassword } from "#test/factories/make-user.ts";
import { makeDraft } from "#test/factories/make-video.ts";
import { attackBackOffice, popupAttempts } from "../support/office-attack.ts";
import type { EnginePage } from "./support/engine-page.ts";
import type { EngineSite } from "./support/engine-site.ts";
import { seek, video, waitFor, waitForHydration, waitForPlaying } from "./support/screen.ts";

export function testAds(site: EngineSite): void {
  const card = { title: "A card", linkUrl: "https://example.com/", type: "video" };

  it("plays on after a pre-roll on a phone", async () => {
    await site.withAd({ ...card, placement: "preroll" }, async () => {
      const page = await openBreak(site, { size: "phone", startsAtS: 0 });
      await page.click({ css: "button", name: "Skip Ad" });
      await waitForPlaying(page, video);
    });
  });

  it("plays on after a seek to just before an ad break", async () => {
    await site.withAd({ ...card, placement: "midroll" }, async () => {
      const page = await openBreak(site, { startsAtS: 36 });
      await page.click({ css: "button", name: "Skip Ad" });
      await waitForPlaying(page, video);
      const position = (css: string) => document.querySelector<HTMLVideoElement>(css)?.currentTime;
      expect(await page.evaluate(position, video)).toBeGreaterThan(36);
    });
  });

  it("keeps an ad's script away from the page and the visitor's data", async () => {
    // Some engines return an empty string instead of throwing an error.
    const tries = [
      "if (document.cookie === '') throw 0",
      "localStorage.length",
      "parent.document",
      "top.location.href",
    ];
    const content = `<p id="said"></p><script>
      const said = [self.origin];
      ${tries.map((code) => `try { ${code}; said.push("reached") } catch { said.push("refused") }`).join("\n")}
      parent.parent.postMessage({ said }, "*")</script>`;
    await site.withAd(
      { title: "Isolated", type: "banner", placement: "header", content },
      async () => {
        const page = await site.open("/home");
        await waitForHydration(page);
        await page.evaluate(() => {
          addEventListener("message", ({ data }: MessageEvent<{ said?: string[] }>) => {
            if (data.said !== undefined) Object.assign(window, { said: data.said });
          });
        });
        await page.click("a[href='/video/northern-lights']");
        const said = await waitFor(page, () => (window as { said?: string[] }).said);
        expect(said).toEqual(["null", ...tries.map(() => "refused")]);
      },
    );
  });
}

export function testAttacks(site: EngineSite): void {
  it("lets a trusted ad do nothing with a session that appears beside it", async () => {
    // The server refuses these requests, and its headers forbid these frames.
    site.expectProblems(/status of|status code|Frame|frame|CSP violation|Refused|Load|load/);
    const { app } = site;
    const { db } = app.database;
    const picture = "v/draft-files/picture.webp";
    await app.context.storage.putBytes(picture, "picture");
    const title = "Only for the back office";
    const draft = { slug: "hidden-draft", title, media_token: "draft-files" };
    await makeDraft(db, { ...draft, thumbnail_key: picture });
    const user = await makeUser(db, { is_owner: true });
    const { token } = await app.context.auth.signIn(user.email, testPassword, testOrigin);
    const ad = { type: "banner", placement: "header", trust: "page", title: "Trusted" };
    const content = `<script>window.attack = ${attackBackOffice.toString()}</script>`;
    await site.withAd({ ...ad, content }, async (adId) => {
      const page = await site.open("/home");
      await page.evaluate(() => {
        document.cookie = "consent=yes; path=/";
      });
      await page.goto("/video/northern-lights");
      await waitFor(page, () => "attack" in window);
      const file = `/media/${picture}`;
      const targets = { adId, draft: { slug: draft.slug, title, file }, userId: user.id };
      // Attempts start with a press, because engines block windows that a script opens by itself.
      await page.evaluate(
        (given, session, popups) => {
          // As if the owner had signed in in another tab.
          document.cookie = `session=${session}; path=/`;
          const found = { results: {} as Record<string, string> };
          Object.assign(window, found);
          const attack = Reflect.get(window, "attack") as typeof attackBackOffice;
          const rounds = [
            // `history` may load another document, which ends the script.
            (name: string) => name !== "history" && !popups.includes(name),
            ...popups.map((popup) => (name: string) => name === popup),
          ];
          const button = document.createElement("button");
          button.id = "next-round";
          button.style.cssText = "position: fixed; inset: 0 auto auto 0; z-index: 999";
          button.textContent = "Next round";
          button.addEventListener("click", () => {
            const isTried = rounds.shift();
            if (isTried === undefined) return;
            button.disabled = true;
            void attack(given, isTried).then((round) => {
              Object.assign(found.results, round);
              button.disabled = false;
              if (rounds.length === 0) button.dataset["isDone"] = "";
            });
          });
          document.body.append(button);
        },
        targets,
        token,
        [...popupAttempts],
      );
      for (let round = 0; round <= popupAttempts.length; round += 1) {
        await page.click("#next-round");
        await waitFor(page, () => document.querySelector("#next-round:enabled") !== null);
      }
      const results = await page.evaluate(
        () => Reflect.get(window, "results") as Record<string, string>,
      );
      expect(Object.entries(results).filter(([, outcome]) => outcome !== "refused")).toEqual([]);
      expect(Object.keys(results).length).toBeGreaterThan(25);
    });
  });
}

/**
 * Opens the video and seeks to just before an ad break. The video waits for an ad for only three
 * seconds, so a busy machine may miss the break, and the page is opened again.
 */
async function openBreak(
  site: EngineSite,
  { size, startsAtS }: { size?: "phone" | "laptop"; startsAtS: number },
): Promise<EnginePage> {
  const page = await site.open("/video/northern-lights", { size });
  for (let triesLeft = 4; !(await reachBreak(page, startsAtS)); triesLeft -= 1) {
    if (triesLeft === 0) throw new Error(`${page.engine}, ${page.size}: five openings without ad`);
    await page.goto("/video/northern-lights");
  }
  return page;
}

/** Returns whether the break at this position of the opened video shows an ad. */
async function reachBreak(page: EnginePage, startsAtS: number): Promise<boolean> {
  if (startsAtS > 0) {
    await waitForHydration(page);
    await waitForPlaying(page, video);
    await page.evaluate(seek, video, startsAtS - 1);
  }
  const result = await waitFor(
    page,
    (css, missedAtS) => {
      const ad = document.querySelector(".spot-break");
      if (ad?.checkVisibility() && ad.textContent.includes("Advertisement")) return "shown";
      const media = document.querySelector<HTMLVideoElement>(css);
      return ad === null && media !== null && media.currentTime > missedAtS ? "missed" : null;
    },
    video,
    startsAtS + 3,
  );
  return result === "shown";
}
