import { describe, expect, test } from "vitest";
import type { Video } from "#contract/videos/videos.ts";
import { mediaHtml, playerFirstVideo, serverMediaHtml } from "./media-element.ts";

const video = {
  title: 'Tom & "J"',
  videoUrl: "/f.mp4",
  posterUrl: "/p.jpg",
  thumbnailUrl: "/t.jpg",
} as Video;

describe("the player's element", () => {
  test("starts automatically and muted unless motion is reduced", () => {
    expect(mediaHtml(video, true)).toBe(
      '<video class="player-media" playsinline preload="auto" autoplay muted poster="/p.jpg" aria-label="Tom &amp; &quot;J&quot;">' +
        '<source src="/f.mp4" type="video/mp4" media="(prefers-reduced-motion: no-preference)"></video>',
    );
  });

  test("waits for a click if it doesn't start with the page", () => {
    const html = mediaHtml({ ...video, posterUrl: null }, false);
    expect(html).toContain('preload="auto" poster="/t.jpg"');
    expect(html).toContain('media="all"');
    expect(html).not.toContain("autoplay");
  });

  test("has no source if the video has no file", () => {
    expect(mediaHtml({ ...video, videoUrl: null }, false)).not.toContain("<source");
    expect(playerFirstVideo({ ...video, videoUrl: null })).toBeNull();
  });

  test("uses the browser's controls on pages without scripts", () => {
    const html = serverMediaHtml(video, false, null);
    expect(html).toContain('media="all and (scripting: enabled)"');
    expect(html).toMatch(/<noscript>.*<video [^>]*preload="metadata" controls.*<\/noscript>$/);
  });

  test("has captions on pages without scripts", () => {
    const captions = [
      { url: "/c/de.vtt", language: "de", name: 'Deutsch "CC"' },
      { url: "/c/en.vtt", language: "en", name: "English", isDefault: true },
    ];
    const html = serverMediaHtml({ ...video, captions }, false, null);
    expect(html.split("<noscript>").map((part) => part.match(/<track.*?>/g))).toEqual([
      null,
      [
        '<track kind="subtitles" src="/c/de.vtt" srclang="de" label="Deutsch &quot;CC&quot;">',
        '<track kind="subtitles" src="/c/en.vtt" srclang="en" label="English" default>',
      ],
    ]);
  });

  test("is created by the page's first script if the video starts with the page", () => {
    const html = serverMediaHtml(video, true, "<script>place</script>");
    expect(html).toMatch(/^<script>place<\/script><noscript>/);
    expect(playerFirstVideo(video)).toEqual({
      src: "/f.mp4",
      attributes: {
        class: "player-media",
        playsinline: "",
        preload: "auto",
        autoplay: "",
        muted: "",
        poster: "/p.jpg",
        "aria-label": 'Tom & "J"',
      },
    });
  });
});
