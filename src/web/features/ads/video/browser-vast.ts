import type { PublicAd } from "../../../../contract/ads.ts";
import { isHls } from "../vast/media-choice.ts";
import type { ParseXml } from "../vast/parse-document.ts";
import { chooseForSlot, type Choice } from "../vast/pod-order.ts";
import { resolveVast, type LoadVast } from "../vast/resolve-vast.ts";
import type { VastResult } from "../vast/vast-ad.ts";
import { sendAll } from "../vast/vast-tracker.ts";
import { fetchByServer, loadDirectly, loadFrom } from "./tag-loader.ts";

/** A well-formed document, or null. */
export const parseXmlInBrowser: ParseXml = (text) => {
  const document = new DOMParser().parseFromString(text.replace(/^\uFEFF/, "").trim(), "text/xml");
  return document.getElementsByTagName("parsererror").length > 0 ? null : document;
};

let probe: HTMLVideoElement | null = null;

/** Whether this browser plays the type; HLS also through Media Source Extensions. */
export function canPlayType(type: string): boolean {
  probe ??= document.createElement("video");
  if (probe.canPlayType(type) !== "") return true;
  return isHls(type) && ("MediaSource" in globalThis || "ManagedMediaSource" in globalThis);
}

/** Requests an address and forgets the answer. Pictures may come from anywhere. */
export function sendPixel(url: string): void {
  const pixel = new Image(1, 1);
  pixel.referrerPolicy = "no-referrer-when-downgrade";
  pending.add(pixel);
  const forget = () => pending.delete(pixel);
  pixel.addEventListener("load", forget);
  pixel.addEventListener("error", forget);
  pixel.src = url;
}
/** A picture that nobody holds may be thrown away before it was asked for. */
const pending = new Set<HTMLImageElement>();

export const pixelDeps = { send: sendPixel, random: Math.random, date: () => new Date() };

export interface ResolvedTag {
  choice: Choice;
  result: VastResult;
}

/**
 * Follows an ad's tag: first from here, as a visitor's browser is expected to; where that is not
 * allowed (no CORS header, http inside https) with the documents that our server fetched.
 */
export async function resolveTag(
  ad: Pick<PublicAd, "id">,
  tagUrl: string,
  signal: AbortSignal,
): Promise<ResolvedTag> {
  let isBlocked = false;
  const direct = loadDirectly(signal);
  const watched: LoadVast = async (url, depth) => {
    const answer = await direct(url, depth);
    if (!answer.ok && answer.reason === "unreachable") isBlocked = true;
    return answer;
  };
  const first = await resolveWith(tagUrl, watched);
  if (first.choice.play !== null || !isBlocked || signal.aborted) return first;
  try {
    const documents = await fetchByServer(ad.id, signal);
    return await resolveWith(tagUrl, loadFrom(documents));
  } catch (error) {
    console.warn("the server could not fetch the ad's tag either", error);
    return first;
  }
}

async function resolveWith(tagUrl: string, load: LoadVast): Promise<ResolvedTag> {
  const result = await resolveVast(tagUrl, {
    load,
    parseXml: parseXmlInBrowser,
    canPlay: canPlayType,
  });
  return { result, choice: chooseForSlot(result.ads) };
}

/** Tells the servers of ads that failed what was wrong with them. */
export function tellFailures({ choice, result }: ResolvedTag): void {
  for (const failed of choice.failed) {
    sendAll(failed.errorUrls, { errorCode: failed.code }, pixelDeps);
  }
  // No ad at all: the root document has its own list.
  if (result.ads.length === 0 && result.documentFailure === null) {
    sendAll(result.rootErrorUrls, { errorCode: 303 }, pixelDeps);
  }
}
