import { listTags } from "./html-sources.ts";

/** Finding about a creative. A problem prevents the ad from being active. */
export interface Finding {
  isProblem: boolean;
  /** Field of the ad. */
  path: "content" | "imageUrl" | "linkUrl" | "vastTagUrl";
  text: string;
}

export interface CheckedCreative {
  type?: string | undefined;
  content?: string | null | undefined;
  imageUrl?: string | null | undefined;
  linkUrl?: string | null | undefined;
  vastTagUrl?: string | null | undefined;
}

/** Size above which HTML slows pages down. Networks refuse creatives from about this size. */
const heavyHtmlBytes = 50_000;
const isSet = (value: string | null | undefined): value is string =>
  typeof value === "string" && value.trim() !== "";
const isInsecure = (address: string) =>
  /^http:\/\//i.test(address) && !/^http:\/\/(localhost|127\.0\.0\.1)[:/]/i.test(address);
const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1000)} KB`;

/**
 * Checks for what the sandbox can't prevent: missing parts, size, unclosed scripts and addresses
 * without https.
 */
export function checkCreative(ad: CheckedCreative): Finding[] {
  const findings: Finding[] = [];
  const add = (path: Finding["path"], text: string, isProblem = false) =>
    findings.push({ isProblem, path, text });
  const html = isSet(ad.content) ? ad.content : null;

  if (html !== null) checkHtml(html, add);
  for (const path of ["imageUrl", "vastTagUrl"] as const) {
    const address = ad[path];
    if (isSet(address) && isInsecure(address.trim())) {
      add(
        path,
        `${address.trim()} doesn't use HTTPS, so browsers may not load it on an HTTPS page.`,
      );
    }
  }
  if (ad.type === "video" && !isSet(ad.vastTagUrl)) {
    add(
      "vastTagUrl",
      "Without a video or VAST tag, only the other parts of the ad appear in the break.",
    );
  }
  if (html === null && !isSet(ad.imageUrl) && !isSet(ad.vastTagUrl)) {
    add(
      "imageUrl",
      "Without an image, video or HTML, visitors only see the title and description.",
    );
  }
  if (html === null && !isSet(ad.linkUrl) && !isSet(ad.vastTagUrl)) {
    add("linkUrl", "Without a link, clicks do nothing.");
  }
  return findings;
}

function checkHtml(
  html: string,
  add: (path: "content", text: string, isProblem?: boolean) => void,
): void {
  const sizeBytes = new TextEncoder().encode(html).length;
  if (sizeBytes > heavyHtmlBytes) {
    add(
      "content",
      `The HTML is ${kilobytes(sizeBytes)}. Ads usually have up to ${kilobytes(heavyHtmlBytes)}.`,
    );
  }
  const tags = listTags(html);
  if (tags.some(({ isOpen }) => isOpen)) {
    add(
      "content",
      "A script tag isn't closed. The script doesn't run, and everything after it is hidden.",
      true,
    );
  }
  for (const { isFrame, src } of tags) {
    if (src === null || !isInsecure(src.trim())) continue;
    const what = isFrame ? "frame" : "script";
    add(
      "content",
      `Browsers block the ${what} ${src.trim().slice(0, 200)} because it doesn't use HTTPS.`,
      true,
    );
  }
}
