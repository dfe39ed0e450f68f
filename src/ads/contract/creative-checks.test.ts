import { expect, test } from "vitest";
import { checkCreative, type CheckedCreative } from "./creative-checks.ts";

const found = (ad: CheckedCreative) =>
  checkCreative(ad).map(({ isProblem, text }) => `${isProblem ? "!" : ""}${text.split(":")[0]}`);

test.each<[string, CheckedCreative, string[]]>([
  ["a complete banner", { type: "banner", imageUrl: "/i.png", linkUrl: "https://a.test" }, []],
  [
    "a title alone",
    { type: "banner" },
    [
      "Without an image, video or HTML, visitors only see the title and description.",
      "Without a link, clicks do nothing.",
    ],
  ],
  [
    "a video ad without a video",
    { type: "video", content: "<b>x</b>" },
    ["Without a video or VAST tag, only the other parts of the ad appear in the break."],
  ],
  ["a picture without https", { imageUrl: "http://a.test/i.png", linkUrl: "/x" }, ["http"]],
  ["scripts", { content: '<script src="https://a.test/x.js"></script><script>1</script>' }, []],
  [
    "a script and a frame without https",
    { content: '<script src="http://a.test/"></script><iframe src="http://b.test/"></iframe>' },
    ["!Browsers block the script http", "!Browsers block the frame http"],
  ],
  [
    "a script that is not closed",
    { content: "<!-- <script> --><b>x</b><script>1" },
    ["!A script tag isn't closed. The script doesn't run, and everything after it is hidden."],
  ],
  [
    "a script that writes another one",
    { content: '<script>document.write("<script src=//a.test/x.js><\\/script>")</script>' },
    [],
  ],
  [
    "heavy HTML",
    { content: "é".repeat(30_000) },
    ["The HTML is 60 KB. Ads usually have up to 50 KB."],
  ],
])("%s", (_name, ad, texts) => {
  expect(found(ad)).toEqual(texts);
});
