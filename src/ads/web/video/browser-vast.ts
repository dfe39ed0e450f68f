import { hasTimedOut } from "#web/features/player/core/ads/ad-provider.ts";
import { call, queryString } from "#web/lib/api/http.ts";
import { readConsent } from "#web/lib/consent.ts";
import { type AdErrorCause, fetchedDocuments, type FetchedDocument } from "../../contract/ads.ts";
import { isHls } from "../vast/media-choice.ts";
import type { ParseXml } from "../vast/parse-document.ts";
import { chooseSequence, type Sequence } from "../vast/pod-order.ts";
import { resolveVast, type LoadVast, type LoadResult } from "../vast/resolve-vast.ts";
import type { VastResult } from "../vast/vast-ad.ts";
import { sendAll } from "../vast/vast-tracker.ts";
import { decodeDocument } from "../../contract/decode-document.ts";
import { chainLimits, maxDocumentBytes } from "../../contract/vast-address.ts";
import { expandMacros, type MacroEnvironment } from "../../contract/vast-macros.ts";

/** API of a consent platform (IAB TCF 2.2), provided by an ad or the operator. */
type TcfApi = (
  command: string,
  version: 2,
  callback: (data: unknown, isOk: boolean) => void,
) => void;

interface TcData {
  tcString?: unknown;
  gdprApplies?: unknown;
}

let platform: { api: unknown; data: TcData } | null = null;

/**
 * Returns the data of a consent platform, which can change. The platform calls back immediately if
 * it has some.
 */
function readTcData(): TcData {
  const api: unknown = Reflect.get(window, "__tcfapi");
  if (typeof api !== "function") return {};
  if (platform?.api === api) return platform.data;
  const own: { api: unknown; data: TcData } = { api, data: {} };
  platform = own;
  const callApi = api as TcfApi;
  callApi("addEventListener", 2, (data, isOk) => {
    own.data = isOk && typeof data === "object" && data !== null ? data : {};
  });
  return own.data;
}

/**
 * Returns the consent that ads receive: a platform's string, or else 1 or 0. Undefined before a
 * choice.
 */
function consentForAds(): string | undefined {
  const { tcString } = readTcData();
  if (typeof tcString === "string" && tcString !== "") return tcString;
  const consent = readConsent();
  return consent === null ? undefined : consent === "yes" ? "1" : "0";
}

function gdprForAds(): number | undefined {
  const { gdprApplies } = readTcData();
  return typeof gdprApplies === "boolean" ? Number(gdprApplies) : undefined;
}

export const macroEnvironment: MacroEnvironment = {
  random: Math.random,
  date: () => new Date(),
  consent: consentForAds,
  gdpr: gdprForAds,
};

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
interface TagSource {
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
  ad: { id: string },
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
    maxAds,
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

/** Milliseconds for each document of a wrapper, within the time of the chain. */
const wrapperMs = 4000;

/** Remaining limits of one chain, for requests by the browser and by our server. */
export interface ChainBudget {
  documents: number;
  bytes: number;
  /** Aborts when the time of the chain is up. */
  deadline: AbortSignal;
}

export function startChain(limits: { timeMs: number } = chainLimits): ChainBudget {
  const { documents, bytes } = chainLimits;
  return { documents, bytes, deadline: AbortSignal.timeout(limits.timeMs) };
}

/**
 * Fetches documents from their servers, without cookies. `resolveVast` ends at the last document.
 */
export function loadDirectly(budget: ChainBudget, signal?: AbortSignal): LoadVast {
  return async (url, depth) => {
    if (budget.documents <= 0) return { ok: false, reason: "too_large" };
    budget.documents -= 1;
    const ends = [budget.deadline];
    if (depth > 0) ends.push(AbortSignal.timeout(wrapperMs));
    const address = expandMacros(url, { pageUrl: window.location.href }, macroEnvironment);
    try {
      const response = await fetch(address, {
        signal: AbortSignal.any(signal === undefined ? ends : [...ends, signal]),
        credentials: "omit",
      });
      if (!response.ok) {
        await response.body?.cancel();
        return { ok: false, reason: "status", status: response.status };
      }
      return await readLimited(response, budget);
    } catch {
      const isLate =
        ends.some(({ aborted }) => aborted) || (signal !== undefined && hasTimedOut(signal));
      return { ok: false, reason: isLate ? "timeout" : "unreachable" };
    }
  };
}

async function readLimited(response: Response, budget: ChainBudget): Promise<LoadResult> {
  const reader = response.body?.getReader();
  if (reader === undefined) return { ok: true, text: "" };
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    sizeBytes += value.length;
    budget.bytes -= value.length;
    if (sizeBytes > maxDocumentBytes || budget.bytes < 0) {
      await reader.cancel();
      return { ok: false, reason: "too_large" };
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return { ok: true, text: decodeDocument(bytes, response.headers.get("content-type")) };
}

/** Reads documents fetched by our server, which sends the whole chain in one response. */
export function loadFrom(documents: readonly FetchedDocument[]): LoadVast {
  const byUrl = new Map(documents.map((document) => [document.url, document]));
  return (url) => {
    const document = byUrl.get(url);
    if (document === undefined) return Promise.resolve({ ok: false, reason: "unreachable" });
    const { problem, status } = document;
    if (problem === null) return Promise.resolve({ ok: true, text: document.text ?? "" });
    if (problem === "status") {
      return Promise.resolve({ ok: false, reason: "status", status: status ?? 0 });
    }
    const reason = problem === "refused" ? "unreachable" : problem;
    return Promise.resolve({ ok: false, reason });
  };
}

/** Fetches an ad's documents through our server, if the browser may not. */
async function fetchByServer(
  adId: string,
  { documents, bytes, deadline }: ChainBudget,
  signal: AbortSignal,
  /** Index of the requested break, for VMAP. */
  breakIndex?: number,
): Promise<readonly FetchedDocument[]> {
  const path = `/api/spots/${encodeURIComponent(adId)}/documents`;
  const query = {
    ...{ documents, bytes, break: breakIndex },
    ...{ consent: consentForAds(), gdpr: gdprForAds() },
  };
  const list = await call(path + queryString(query), fetchedDocuments, {
    signal: AbortSignal.any([deadline, signal]),
  });
  return list.documents;
}
