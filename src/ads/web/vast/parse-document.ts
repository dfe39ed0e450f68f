import { VASTParser } from "@dailymotion/vast-client";
import { absoluteUrl } from "../../contract/vast-address.ts";
import { mediaType } from "./media-choice.ts";
import {
  parseOffset,
  type AdResource,
  type Companion,
  type MediaFile,
  type TimeOffset,
  type VastIcon,
} from "./vast-ad.ts";

/** Returns the child elements with this name. */
const children = (node: Element, name: string): Element[] =>
  Array.from(node.childNodes).filter(
    (child): child is Element => child.nodeType === 1 && child.nodeName === name,
  );

const text = (node: Element | undefined): string => node?.textContent?.trim() ?? "";

/** Maximum number of companions. Regular ads don't have more. Further companions are ignored. */
const maxCompanions = 20;

/**
 * Returns an ad's `<Companion>`s that a page can show. @param body its `<InLine>` or `<Wrapper>`.
 */
function readCompanions(body: Element, baseUrl: string): Companion[] {
  return children(body, "Creatives")
    .flatMap((creatives) => children(creatives, "Creative"))
    .flatMap((creative) => children(creative, "CompanionAds"))
    .flatMap((list) => children(list, "Companion"))
    .slice(0, maxCompanions)
    .flatMap((element) => readCompanion(element, baseUrl) ?? []);
}

function readCompanion(element: Element, baseUrl: string): Companion | null {
  const widthPx = sizeOf(element, "width");
  const heightPx = sizeOf(element, "height");
  const resource = readResource(element, baseUrl);
  if (widthPx === null || heightPx === null || resource === null) return null;
  const urls = (nodes: Element[]) =>
    nodes.flatMap((node) => absoluteUrl(text(node), baseUrl) ?? []);
  const events = children(element, "TrackingEvents").flatMap((list) => children(list, "Tracking"));
  return {
    widthPx,
    heightPx,
    resource,
    altText: text(children(element, "AltText")[0]) || null,
    clickThrough: absoluteUrl(text(children(element, "CompanionClickThrough")[0]), baseUrl),
    clickTracking: urls(children(element, "CompanionClickTracking")),
    viewTracking: urls(events.filter((node) => node.getAttribute("event") === "creativeView")),
  };
}

function sizeOf(element: Element, name: string): number | null {
  const px = Number(element.getAttribute(name)?.trim());
  return Number.isInteger(px) && px > 0 && px <= 4000 ? px : null;
}

/** Prefers pictures, because they need no frame. */
function readResource(element: Element, baseUrl: string): Companion["resource"] | null {
  const picture = children(element, "StaticResource").find((node) =>
    /^\s*(image\/|$)/i.test(node.getAttribute("creativeType") ?? ""),
  );
  const pictureUrl = absoluteUrl(text(picture), baseUrl);
  if (pictureUrl !== null) return { kind: "image", url: pictureUrl };
  const html = text(children(element, "HTMLResource")[0]);
  if (html !== "") return { kind: "html", html };
  const frameUrl = absoluteUrl(text(children(element, "IFrameResource")[0]), baseUrl);
  return frameUrl === null ? null : { kind: "frame", url: frameUrl };
}

/** Parses text into a document. Null if it isn't well-formed XML. */
export type ParseXml = (text: string) => Document | null;

/** `<Ad>` of a document, before its wrapper is followed. URLs are absolute. */
export interface ParsedAd {
  kind: "inline" | "wrapper" | "malformed";
  id: string | null;
  title: string | null;
  sequence: number | null;
  errorUrls: string[];
  impressions: string[];
  viewable: string[];
  notViewable: string[];
  /** `AdVerifications` URLs that report an unexecuted vendor script. */
  notVerified: string[];
  linears: ParsedLinear[];
  companions: Companion[];
  hasNonLinear: boolean;
  /** Only for wrappers. Null if the tag is missing. */
  tagUrl: string | null;
  followAdditionalWrappers: boolean;
  allowMultipleAds: boolean;
  fallbackOnNoAd: boolean | null;
}

export interface ParsedLinear {
  durationS: number | null;
  skip: TimeOffset | null;
  mediaFiles: (MediaFile & { apiFramework: string | null })[];
  tracking: Map<string, string[]>;
  progress: { offset: TimeOffset; url: string }[];
  clickThrough: string | null;
  clickTracking: string[];
  customClicks: string[];
  icons: VastIcon[];
}

export type ParsedDocument =
  | { ok: true; ads: ParsedAd[]; errorUrls: string[]; warnings: string[] }
  | { ok: false; code: number; reason: string; errorUrls?: readonly string[] };

/** Parts of the library's untyped objects that are used here. */
interface RawUrl {
  url?: string | null;
}
interface RawCreative {
  type: string;
  duration?: number;
  mediaFiles?: {
    fileURL: string | null;
    mimeType: string | null;
    width: number;
    height: number;
    bitrate: number;
    maxBitrate: number;
    apiFramework: string | null;
  }[];
  trackingEvents?: Record<string, string[]>;
  videoClickThroughURLTemplate?: RawUrl | null;
  videoClickTrackingURLTemplates?: RawUrl[];
  videoCustomClickURLTemplates?: RawUrl[];
  icons?: {
    program: string | null;
    width: number | string | null;
    height: number | string | null;
    /** Seconds, negative if absent or invalid. */
    offset: number | null;
    duration: number;
    staticResource: string | null;
    htmlResource: string | null;
    iframeResource: string | null;
    iconClickThroughURLTemplate: string | null;
    iconClickTrackingURLTemplates: RawUrl[];
    iconViewTrackingURLTemplate: string | null;
  }[];
}
type RawIcon = NonNullable<RawCreative["icons"]>[number];
interface RawAd {
  id: string | null;
  title: string | null;
  sequence: string | null;
  errorURLTemplates: string[];
  impressionURLTemplates: RawUrl[];
  viewableImpression: { viewable: string[]; notViewable: string[] }[];
  creatives: RawCreative[];
  VASTAdTagURI?: string;
  followAdditionalWrappers?: boolean;
  allowMultipleAds?: boolean;
  fallbackOnNoAd?: boolean | null;
}

/** Maximum number of ads. Regular documents don't have more. Further ads are ignored. */
const maxAds = 50;

/** Part of the library that is used here. */
interface VastReader {
  parseVAST(document: Document, options: { url: string }): Promise<{ ads: RawAd[] }>;
}

/** Creates a parser that neither sends pixels nor drops ads, because this code does both itself. */
function createSilentParser(warnings: string[]): VastReader {
  const parser = new VASTParser();
  parser.trackVastError = () => {};
  parser.completeWrapperResolving = () => {};
  parser.on("VAST-warning", (warning: { message?: string; parentElement?: string }) => {
    if (warnings.length < 50 && warning.message !== undefined) {
      warnings.push([warning.parentElement, warning.message].filter(Boolean).join(": "));
    }
  });
  return parser;
}

/**
 * Returns whether a document declares a document type. VAST has none, and one with its own entities
 * is an attack. HTML inside CDATA may have one.
 */
export const declaresType = (xml: string): boolean =>
  /<!(DOCTYPE|ENTITY)/i.test(xml.replace(/<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->/g, ""));

/** Returns the error URLs of a document that isn't parsed. */
function findErrorUrls(xml: string, baseUrl: string): string[] {
  const found = xml.matchAll(/<Error>\s*(?:<!\[CDATA\[\s*)?(https?:(?:(?!\]\]>)[^\s<])+)/g);
  return [...found].slice(0, maxAds).flatMap(([, url]) => absoluteUrl(url, baseUrl) ?? []);
}

/** Parses one document without fetching anything. Never throws. */
export async function parseDocument(
  xml: string,
  baseUrl: string,
  parseXml: ParseXml,
): Promise<ParsedDocument> {
  // Many servers send an empty response if they have no ad.
  if (xml.trim() === "") return { ok: true, ads: [], errorUrls: [], warnings: [] };
  if (declaresType(xml)) {
    return {
      ok: false,
      code: 100,
      reason: "The document declares a document type, which VAST doesn't allow.",
      errorUrls: findErrorUrls(xml, baseUrl),
    };
  }
  const document = parseXml(xml);
  const root = document?.documentElement;
  if (document === null || root === undefined || root === null) {
    return { ok: false, code: 100, reason: "The document is not well-formed XML." };
  }
  if (root.nodeName === "VideoAdServingTemplate") {
    return { ok: false, code: 102, reason: "VAST 1 is not supported." };
  }
  if (root.nodeName !== "VAST") {
    return { ok: false, code: 101, reason: `The root is <${root.nodeName}>, not <VAST>.` };
  }

  const urls = (templates: (string | null | undefined)[]) =>
    templates.flatMap((template) => absoluteUrl(template, baseUrl) ?? []);
  const errorUrls = urls(children(root, "Error").map(text));
  const warnings: string[] = [];

  // The library rejects the whole document for one unreadable <Ad>, so remove those first.
  const slots: { parsed: ParsedAd | null; body: Element | null }[] = [];
  for (const [index, element] of children(root, "Ad").entries()) {
    const body = children(element, "InLine")[0] ?? children(element, "Wrapper")[0] ?? null;
    const isWrapper = body?.nodeName === "Wrapper";
    const tag = body === null ? "" : readTag(body);
    const isReadable = index < maxAds && body !== null && (!isWrapper || tag !== "");
    if (!isReadable) root.removeChild(element);
    if (index < maxAds) {
      slots.push({ body, parsed: isReadable ? null : unreadable(element, body, urls) });
    }
  }

  let rawAds: RawAd[];
  try {
    const reader = createSilentParser(warnings);
    rawAds = (await reader.parseVAST(document, { url: baseUrl })).ads;
  } catch (error) {
    return { ok: false, code: 101, reason: `The VAST document cannot be read: ${String(error)}` };
  }

  let next = 0;
  const ads = slots.flatMap(({ parsed, body }) => {
    if (parsed !== null) return [parsed];
    const raw = rawAds[next];
    next += 1;
    return raw === undefined || body === null ? [] : [readAd(raw, body, baseUrl, urls)];
  });
  return { ok: true, ads, errorUrls, warnings };
}

type Urls = (templates: (string | null | undefined)[]) => string[];

function wholeNumber(value: string | null): number | null {
  return value !== null && /^\d{1,6}$/.test(value.trim()) ? Number(value) : null;
}

function unreadable(element: Element, body: Element | null, urls: Urls): ParsedAd {
  return {
    kind: body === null ? "malformed" : "wrapper",
    id: element.getAttribute("id") || null,
    title: null,
    sequence: wholeNumber(element.getAttribute("sequence")),
    errorUrls: body === null ? [] : urls(children(body, "Error").map(text)),
    impressions: [],
    viewable: [],
    notViewable: [],
    notVerified: [],
    linears: [],
    companions: [],
    hasNonLinear: false,
    tagUrl: null,
    followAdditionalWrappers: true,
    allowMultipleAds: false,
    fallbackOnNoAd: null,
  };
}

/**
 * Returns the target of a wrapper. Some servers use the element of VAST 1, which the library
 * doesn't read.
 */
function readTag(body: Element): string {
  const [own] = children(body, "VASTAdTagURI");
  const [old] = children(body, "VASTAdTagURL");
  if (own !== undefined || old === undefined) return text(own);
  const renamed = body.ownerDocument.createElement("VASTAdTagURI");
  renamed.textContent = text(old);
  body.appendChild(renamed);
  return text(renamed);
}

function readAd(raw: RawAd, body: Element, baseUrl: string, urls: Urls): ParsedAd {
  const linearElements = children(body, "Creatives")
    .flatMap((creatives) => children(creatives, "Creative"))
    .flatMap((creative) => children(creative, "Linear"));
  const rawLinears = raw.creatives.filter((creative) => creative.type === "linear");
  return {
    kind: raw.VASTAdTagURI === undefined ? "inline" : "wrapper",
    id: raw.id || null,
    title: raw.title || null,
    sequence: wholeNumber(raw.sequence),
    errorUrls: urls(raw.errorURLTemplates),
    impressions: urls(raw.impressionURLTemplates.map((item) => item.url)),
    viewable: urls(raw.viewableImpression.flatMap((item) => item.viewable)),
    notViewable: urls(raw.viewableImpression.flatMap((item) => item.notViewable)),
    notVerified: urls(notExecuted(body)),
    linears: rawLinears.map((linear, index) =>
      readLinear(linear, linearElements[index], baseUrl, urls),
    ),
    companions: readCompanions(body, baseUrl),
    hasNonLinear: raw.creatives.some((creative) => creative.type === "nonlinear"),
    tagUrl: absoluteUrl(raw.VASTAdTagURI, baseUrl),
    followAdditionalWrappers: raw.followAdditionalWrappers ?? true,
    allowMultipleAds: raw.allowMultipleAds ?? false,
    fallbackOnNoAd: raw.fallbackOnNoAd ?? null,
  };
}

/**
 * Reads the events of verification scripts (VAST 4.3, 3.16), because the library doesn't. Versions
 * before 4 use an extension.
 */
function notExecuted(body: Element): string[] {
  const extensions = children(body, "Extensions").flatMap((node) => children(node, "Extension"));
  return [body, ...extensions]
    .flatMap((node) => children(node, "AdVerifications"))
    .flatMap((node) => children(node, "Verification"))
    .flatMap((node) => children(node, "TrackingEvents"))
    .flatMap((node) => children(node, "Tracking"))
    .filter((node) => node.getAttribute("event") === "verificationNotExecuted")
    .map(text);
}

function readLinear(
  raw: RawCreative,
  element: Element | undefined,
  baseUrl: string,
  urls: Urls,
): ParsedLinear {
  const tracking = new Map<string, string[]>();
  const progress: ParsedLinear["progress"] = [];
  for (const [event, templates] of Object.entries(raw.trackingEvents ?? {})) {
    if (event.startsWith("progress-")) {
      const offset = parseOffset(event.slice("progress-".length));
      if (offset !== null) progress.push(...urls(templates).map((url) => ({ offset, url })));
    } else {
      tracking.set(event, urls(templates));
    }
  }
  return {
    durationS: raw.duration !== undefined && raw.duration >= 0 ? raw.duration : null,
    // The library rounds "12.5%" down and turns a percentage of an unknown duration into 0.
    skip: parseOffset(element?.getAttribute("skipoffset")),
    mediaFiles: (raw.mediaFiles ?? []).flatMap((file) => {
      const url = absoluteUrl(file.fileURL, baseUrl);
      if (url === null) return [];
      return {
        url,
        type: mediaType(file.mimeType, url),
        widthPx: Number.isFinite(file.width) ? file.width : 0,
        heightPx: Number.isFinite(file.height) ? file.height : 0,
        bitrateKbps: file.bitrate || file.maxBitrate || 0,
        apiFramework: file.apiFramework || null,
      };
    }),
    tracking,
    progress,
    clickThrough: absoluteUrl(raw.videoClickThroughURLTemplate?.url, baseUrl),
    clickTracking: urls((raw.videoClickTrackingURLTemplates ?? []).map((item) => item.url)),
    customClicks: urls((raw.videoCustomClickURLTemplates ?? []).map((item) => item.url)),
    icons: (raw.icons ?? []).flatMap((icon) => {
      const resource = iconResource(icon, baseUrl);
      if (resource === null) return [];
      return {
        program: icon.program || null,
        resource,
        widthPx: Number(icon.width) || null,
        heightPx: Number(icon.height) || null,
        offsetS: Math.max(0, icon.offset ?? 0),
        durationS: icon.duration > 0 ? icon.duration : null,
        clickThrough: absoluteUrl(icon.iconClickThroughURLTemplate, baseUrl),
        clickTracking: urls(icon.iconClickTrackingURLTemplates.map((item) => item.url)),
        viewTracking: urls([icon.iconViewTrackingURLTemplate]),
      };
    }),
  };
}

/** Prefers pictures, because they need no frame. */
function iconResource(icon: RawIcon, baseUrl: string): AdResource | null {
  const imageUrl = absoluteUrl(icon.staticResource, baseUrl);
  if (imageUrl !== null) return { kind: "image", url: imageUrl };
  const html = icon.htmlResource?.trim() ?? "";
  if (html !== "") return { kind: "html", html };
  const frameUrl = absoluteUrl(icon.iframeResource, baseUrl);
  return frameUrl === null ? null : { kind: "frame", url: frameUrl };
}
