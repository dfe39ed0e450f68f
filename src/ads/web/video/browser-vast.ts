import type { AdErrorCause, PublicAd } from "../../contract/ads.ts";
import { isHls } from "../vast/media-choice.ts";
import type { ParseXml } from "../vast/parse-document.ts";
import { chooseSequence, type Sequence } from "../vast/pod-order.ts";
import { resolveVast, type LoadVast } from "../vast/resolve-vast.ts";
import type { VastResult } from "../vast/vast-ad.ts";
import { sendAll } from "../vast/vast-tracker.ts";
import { macroEnvironment } from "./macro-environment.ts";
import {
  fetchByServer,
  loadDirectly,
  loadFrom,
  startChain,
  type ChainBudget,
} from "./tag-loader.ts";

/** Parses a document. Null if it isn't well-formed. */
export const parseXmlInBrowser: ParseXml = (text) => {
  const document = new DOMParser().parseFromString(text.replace(/^\uFEFF/, "").trim(), "text/xml");
  return document.getElementsByTagName("parsererror").length > 0 ? null : document;
};

let probe: HTMLVideoElement | null = null;

/** Returns whether this browser plays the type. HLS also plays through Media Source Extensions. */
export function canPlayType(type: string): boolean {
  probe ??= document.createElement("video");
  if (probe.canPlayType(type) !== "") return true;
  return isHls(type) && ("MediaSource" in globalThis || "ManagedMediaSource" in globalThis);
}

/**
 * Requests a URL and ignores the response. Every call sends a request. Images wouldn't request a
 * URL again that is in flight, and a wrapper and its ad may use the same one.
 */
function sendPixel(url: string): void {
  // Like images, an HTTPS page requests nothing over HTTP.
  const isSecure = window.location.protocol === "https:";
  fetch(isSecure ? url.replace(/^http:/, "https:") : url, {
    mode: "no-cors",
    credentials: "include",
    cache: "no-store",
    keepalive: true,
    referrerPolicy: "no-referrer-when-downgrade",
  }).catch(() => {
    // Unreachable servers are ignored.
  });
}

export const pixelDeps = { send: sendPixel, ...macroEnvironment };

/** Tag, or a document that a VMAP document contains instead of its URL. */
export interface TagSource {
  /** Base of relative URLs. */
  url: string;
  text?: string;
  followsWrappers?: boolean;
  /** Index of the break in the VMAP document of the ad's tag. */
  breakIndex?: number;
}

export interface ResolvedTag {
  choice: Sequence;
  result: VastResult;
}

/**
 * Follows an ad's tag in the browser. If that isn't allowed (no CORS header, or HTTP inside HTTPS),
 * uses documents fetched by our server, within the remaining limits of the chain.
 */
export async function resolveTag(
  ad: Pick<PublicAd, "id">,
  source: TagSource,
  {
    signal,
    maxAds,
    budget = startChain(),
  }: { signal: AbortSignal; maxAds: number; budget?: ChainBudget },
): Promise<ResolvedTag> {
  let isBlocked = false;
  const direct = loadDirectly(budget, signal);
  const watched: LoadVast = async (url, depth) => {
    const result = await direct(url, depth);
    if (!result.ok && result.reason === "unreachable") isBlocked = true;
    return result;
  };
  const first = await resolveWith(source, maxAds, watched);
  if (first.choice.plays.length > 0 || !isBlocked || signal.aborted) return first;
  const isUsedUp = budget.documents <= 0 || budget.bytes <= 0 || budget.deadline.aborted;
  if (isUsedUp) return first;
  try {
    const documents = await fetchByServer(ad.id, budget, signal, source.breakIndex);
    return await resolveWith(source, maxAds, loadFrom(documents));
  } catch (error) {
    console.warn("the server could not fetch the ad's tag either", error);
    return first;
  }
}

async function resolveWith(
  { url, text, followsWrappers, breakIndex }: TagSource,
  maxAds: number,
  load: LoadVast,
): Promise<ResolvedTag> {
  const result = await resolveVast(url, {
    load: (address, depth) =>
      text !== undefined && depth === 0
        ? Promise.resolve({ ok: true, text })
        : load(address, depth),
    followsWrappers,
    // The source of a break is always VAST.
    takesBreaks: breakIndex === undefined,
    parseXml: parseXmlInBrowser,
    canPlay: canPlayType,
  });
  return { result, choice: chooseSequence(result.ads, maxAds) };
}

/** Returns why nothing in a tag's response can be played. */
export function causeOfFailure({ choice, result }: ResolvedTag): AdErrorCause {
  return result.documentFailure?.cause ?? choice.failed.at(0)?.cause ?? "empty";
}

/** Reports the error codes of failed ads to their servers. */
export function reportFailures({ choice, result }: ResolvedTag): void {
  for (const failed of choice.failed) {
    sendAll(failed.errorUrls, { errorCode: failed.code }, pixelDeps);
  }
  // If there is no ad at all, the root document's error URLs apply.
  if (result.ads.length === 0 && result.breaks === undefined) {
    const errorCode = result.documentFailure?.code ?? 303;
    sendAll(result.rootErrorUrls, { errorCode }, pixelDeps);
  }
}
