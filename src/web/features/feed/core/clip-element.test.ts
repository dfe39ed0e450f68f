import { expect, test } from "vitest";
import { clipFirstVideo, clipMediaHtml } from "./clip-element.ts";

const place = { src: "/f.mp4", placeHtml: "<script>place</script>" };

test("renders an empty element if a player fills the slot", () => {
  expect(clipMediaHtml(null, place)).toBe(
    '<video class="feed-media" playsinline muted preload="auto"></video>',
  );
});

test("starts the first clip automatically unless motion is reduced", () => {
  expect(clipMediaHtml("/f.mp4", null)).toBe(
    '<video class="feed-media" playsinline muted preload="auto" autoplay>' +
      '<source src="/f.mp4" type="video/mp4" media="(prefers-reduced-motion: no-preference)"></video>',
  );
});

test("lets the first script create the element of the page's clip", () => {
  expect(clipFirstVideo("/f.mp4").attributes).toMatchObject({ class: "feed-media", autoplay: "" });
  expect(clipMediaHtml("/f.mp4", place)).toMatch(/^<script>place<\/script><noscript><video /);
  expect(clipMediaHtml("/other.mp4", place)).toMatch(/^<video /);
});
