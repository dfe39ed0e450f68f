import { describe, expect, test } from "vitest";
import { filmFirstScript, filmPageOf } from "./film-first.ts";

const element =
  '<video class="feed-media" playsinline muted autoplay poster="/a b.jpg" aria-label="Tom &amp; &quot;J&quot;">' +
  '<source src="/media/v/t/f.mp4" type="video/mp4" media="(x: y)"></video>';

test("the film is named in the head, and its place in the page is kept", () => {
  const page = filmPageOf(`<div>before</div>${element}<div>$& behind</div>`);
  expect(page?.head).toContain(
    '<meta name="film" content="/media/v/t/f.mp4" data-class="feed-media" data-playsinline=""' +
      ' data-muted="" data-autoplay="" data-poster="/a b.jpg" data-aria-label="Tom &amp; &quot;J&quot;">',
  );
  expect(page?.body).toMatch(/^<div>before<\/div><script>[^<]+<\/script><noscript><video /);
  expect(page?.body).toContain(`${element}</noscript><div>$& behind</div>`);
});

test("a page whose film does not start by itself is left alone", () => {
  expect(filmPageOf(element.replace(" autoplay", ""))).toBeNull();
  expect(filmPageOf("<video autoplay></video>")).toBeNull();
});

describe("the first script of such a page", () => {
  /** Runs it in a page that came so late, over stand-ins for what it uses of a browser. */
  function run(page: { nowMs: number; isStill?: boolean }) {
    const film: Record<string, unknown> = {};
    film["setAttribute"] = (name: string, value: string) => void (film[name] = value);
    const dataset: Record<string, string> = {};
    const timers: { run: () => void; ms: number }[] = [];
    const browser = {
      document: {
        createElement: () => film,
        getElementById: () => null,
        documentElement: { dataset },
        currentScript: {
          previousSibling: {
            content: "/f.mp4",
            attributes: [
              { name: "name", value: "film" },
              { name: "data-class", value: "feed-media" },
              { name: "data-poster", value: "/p.jpg" },
            ],
          },
        },
      },
      matchMedia: () => ({ matches: page.isStill === true }),
      performance: { now: () => page.nowMs },
      setTimeout: (then: () => void, ms: number) => timers.push({ run: then, ms }),
    };
    // The script as the page has it.
    // oxlint-disable-next-line typescript/no-implied-eval
    new Function(...Object.keys(browser), filmFirstScript)(...Object.values(browser));
    return { film, dataset, timers };
  }

  test("on a near line holds back all but the film, its poster too, for a moment", () => {
    const { film, dataset, timers } = run({ nowMs: 40 });
    expect(film).toMatchObject({ class: "feed-media", muted: true, src: "/f.mp4" });
    expect(film["poster"]).toBeUndefined();
    expect(film["name"]).toBeUndefined();
    expect(dataset["film"]).toBe("alone");
    expect(timers.map(({ ms }) => ms)).toEqual([250]);
    timers[0]?.run();
    expect(film["poster"]).toBe("/p.jpg");
    expect(dataset["film"]).toBeUndefined();
  });

  test("on a far line shows the poster while the film comes", () => {
    const { film, dataset, timers } = run({ nowMs: 400 });
    expect(film).toMatchObject({ src: "/f.mp4", poster: "/p.jpg" });
    expect(dataset["film"]).toBe("first");
    expect(timers.map(({ ms }) => ms)).toEqual([1500]);
  });

  test("starts nothing under reduced motion: the poster is what there is, beside all the rest", () => {
    const { film, dataset } = run({ nowMs: 40, isStill: true });
    expect(film["src"]).toBeUndefined();
    expect(film["poster"]).toBe("/p.jpg");
    expect(dataset["film"]).toBe("first");
  });
});
