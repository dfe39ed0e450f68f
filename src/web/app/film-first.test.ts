import { expect, test } from "vitest";
import { filmPageOf } from "./film-first.ts";

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
