import { expect, test } from "vitest";
import { clipFirstVideo, clipMediaHtml } from "./clip-element.ts";

const place = { src: "/f.mp4", placeHtml: "<script>place</script>" };

test("leaves the element of a player's slot empty", () => {
  expect(clipMediaHtml(null, place)).toBe(
    '<video class="feed-media" playsinline muted preload="auto"></video>',
  );
});

test("starts the first clip by itself unless motion is reduced", () => {
  expect(clipMediaHtml("/f.mp4", null)).toBe(
    '<video class="feed-media" playsinline muted preload="auto" autoplay>' +
      '<source src="/f.mp4" type="video/mp4" media="(prefers-reduced-motion: no-preference)"></video>',
  );
});

test("creates the element of the page's clip in the first script", () => {
  expect(clipFirstVideo("/f.mp4").attributes).toMatchObject({ class: "feed-media", autoplay: "" });
  expect(clipMediaHtml("/f.mp4", place)).toMatch(/^<script>place<\/script><noscript><video /);
  expect(clipMediaHtml("/other.mp4", place)).toMatch(/^<video /);
});
