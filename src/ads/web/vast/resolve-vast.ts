import type { AdErrorCause } from "../../contract/ads.ts";
import { chainLimits, maxWrappers } from "../../contract/vast-address.ts";
import {
  parseDocument,
  type ParsedAd,
  type ParsedLinear,
  type ParseXml,
} from "./parse-document.ts";
import { parseVmap } from "./parse-vmap.ts";
import { wantsSubstitute } from "./pod-order.ts";
import type { AdResult, FailedAd, VastResult } from "./vast-ad.ts";

export type LoadResult =
  | { ok: true; text: string }
  | { ok: false; reason: "timeout" | "unreachable" | "too_large" }
  | { ok: false; reason: "status"; status: number };

/** Fetches one VAST document. `depth` is 0 for the root. Never rejects. */
export type LoadVast = (url: string, depth: number) => Promise<LoadResult>;

/** Fetched document for the tester's report. */
export interface ChainStep {
  url: string;
  depth: number;
  response: LoadResult;
  warnings: string[];
}

export interface ResolveOptions {
  load: LoadVast;
  parseXml: ParseXml;
  /** Returns whether this browser plays the MIME type. */
  canPlay: (type: string) => boolean;
  /** False if a VMAP document requires the ads of this document itself. Defaults to true. */
  followsWrappers?: boolean;
  /**
   * True if the root may be a VMAP document. Otherwise, VMAP counts as an unknown format. Defaults
   * to false.
   */
  takesBreaks?: boolean;
  /** Maximum number of ads of the break. Defaults to all. */
  maxAds?: number;
  /** True to also resolve stand-alone ads that the break doesn't need. Defaults to false. */
  resolvesAll?: boolean;
  onStep?: (step: ChainStep) => void;
}

const unfetched: Record<"timeout" | "unreachable" | "too_large", string> = {
  timeout: "did not respond in time",
  unreachable: "cannot be reached",
  too_large: "is too much: 1 MB for one document, 4 MB and 8 documents for the chain",
};

function loadFailure(url: string, failure: Exclude<LoadResult, { ok: true }>): string {
  const what =
    failure.reason === "status" ? `responded ${failure.status}` : unfetched[failure.reason];
  return `${url} ${what}.`;
}

const loadCause = ({ reason }: Exclude<LoadResult, { ok: true }>): AdErrorCause =>
  reason === "timeout" ? "timeout" : "unreachable";

/** Converts a code of VAST 4.3, section 2.3.6.3, to a cause for operators. */
function causeOf(code: number): AdErrorCause {
  if (code === 303) return "empty";
  return code < 200 || (code >= 300 && code < 400) ? "invalid" : "unsupported";
}

interface Context {
  options: ResolveOptions;
  documentsLeft: number;
}

/** Follows a tag to its playable ads. The caller chooses among them. Never rejects. */
export async function resolveVast(url: string, options: ResolveOptions): Promise<VastResult> {
  const none = { ads: [], rootErrorUrls: [] };
  const context: Context = { options, documentsLeft: chainLimits.documents - 1 };
  const response = await options.load(url, 0);
  if (!response.ok) {
    options.onStep?.({ url, depth: 0, response, warnings: [] });
    return {
      ...none,
      documentFailure: {
        code: 900,
        reason: loadFailure(url, response),
        cause: loadCause(response),
      },
    };
  }
  const { parseXml, takesBreaks = false } = options;
  const breaks = takesBreaks ? parseVmap(response.text, url, parseXml) : null;
  if (breaks !== null) {
    options.onStep?.({ url, depth: 0, response, warnings: [] });
    return { ...none, documentFailure: null, breaks };
  }
  const document = await parseDocument(response.text, url, parseXml);
  options.onStep?.({ url, depth: 0, response, warnings: document.ok ? document.warnings : [] });
  if (!document.ok) {
    const { code, reason, errorUrls = [] } = document;
    return {
      ads: [],
      rootErrorUrls: [...errorUrls],
      documentFailure: { code, reason, cause: causeOf(code) },
    };
  }
  const ads = await resolveAds(document.ads, options, (ad) => resolveAd(ad, [], context));
  return { ads, rootErrorUrls: document.errorUrls, documentFailure: null };
}

/** Milliseconds without a response after which the next stand-alone ad is requested too. */
const patienceMs = 500;

/**
 * Resolves the ads of one document: a pod in parallel, and stand-alone ads in order until the break
 * has enough. Requesting the others would cost time and documents.
 */
async function resolveAds(
  ads: readonly ParsedAd[],
  { resolvesAll = false, maxAds = Infinity }: ResolveOptions,
  resolve: (ad: ParsedAd) => Promise<AdResult[]>,
): Promise<AdResult[]> {
  const hasPod = ads.some(({ sequence }) => sequence !== null);
  // A wrapper of several ads may add to the pod.
  const isInPod = (ad: ParsedAd) => ad.sequence !== null || (hasPod && ad.allowMultipleAds);
  const pod = ads.filter(isInPod);
  const standAlone = ads.filter((ad) => !isInPod(ad));
  const waiting = [...standAlone];
  const running = new Map<ParsedAd, Promise<void>>();
  const results = new Map<ParsedAd, AdResult[]>();
  const resultsOf = (list: readonly ParsedAd[]) => list.flatMap((ad) => results.get(ad) ?? []);
  const countPlayable = (list: readonly ParsedAd[]) =>
    resultsOf(list).filter(({ outcome }) => outcome === "play").length;
  const countRunning = (list: readonly ParsedAd[]) => list.filter((ad) => running.has(ad)).length;

  function start(list: readonly ParsedAd[]): void {
    for (const ad of list) {
      const keep = (found: AdResult[]) => {
        results.set(ad, found);
        running.delete(ad);
      };
      running.set(ad, resolve(ad).then(keep));
    }
  }

  start(pod);
  for (;;) {
    const isPodDone = countRunning(pod) === 0;
    const podCount = countPlayable(pod);
    const substitutes = resultsOf(pod).filter(wantsSubstitute).length;
    const wanted = podCount === 0 ? Math.max(substitutes, 1) : substitutes;
    const found = countPlayable(standAlone);
    const missing = resolvesAll ? 1 : Math.min(wanted, maxAds - podCount) - found;
    if (isPodDone && missing <= 0) break;
    const due = isPodDone ? missing : Math.min(missing, substitutes - found);
    start(waiting.splice(0, Math.max(0, due - countRunning(standAlone))));
    if (running.size === 0) break;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<true>((done) => {
      timer = setTimeout(done, patienceMs, true);
    });
    const isSilent = await Promise.race([...running.values(), silence]);
    clearTimeout(timer);
    if (isSilent === true && missing > 0) start(waiting.splice(0, 1));
  }
  return resultsOf(ads);
}

/** Resolves one ad. `wrappers` are the wrappers around it, outermost first. */
async function resolveAd(
  ad: ParsedAd,
  wrappers: readonly ParsedAd[],
  context: Context,
): Promise<AdResult[]> {
  const fail = (code: number, reason: string, extraErrorUrls: string[] = []): FailedAd => ({
    cause: causeOf(code),
    outcome: "error",
    id: ad.id,
    sequence: ad.sequence,
    wrapperCount: wrappers.length + (ad.kind === "wrapper" ? 1 : 0),
    code,
    reason,
    errorUrls: [...wrappers, ad].flatMap((level) => level.errorUrls).concat(extraErrorUrls),
    fallbackOnNoAd: (wrappers[0] ?? ad).fallbackOnNoAd,
    isWrapper: wrappers.length > 0 || ad.kind === "wrapper",
  });

  if (ad.kind === "malformed") return [fail(101, "An <Ad> has neither <InLine> nor <Wrapper>.")];
  if (ad.kind === "inline") return [finish(ad, wrappers, context.options.canPlay, fail)];

  if (context.options.followsWrappers === false) {
    return [fail(300, "The VMAP document forbids wrappers in this break.")];
  }
  if (ad.tagUrl === null) return [fail(300, "A <Wrapper> has no usable <VASTAdTagURI>.")];
  if (wrappers.length >= maxWrappers) return [fail(302, "More than five wrappers.")];
  if (context.documentsLeft <= 0) return [fail(302, "Too many documents behind one tag.")];
  context.documentsLeft -= 1;

  const url = ad.tagUrl;
  const depth = wrappers.length + 1;
  const response = await context.options.load(url, depth);
  if (!response.ok) {
    context.options.onStep?.({ url, depth, response, warnings: [] });
    return [{ ...fail(301, loadFailure(url, response)), cause: loadCause(response) }];
  }
  const document = await parseDocument(response.text, url, context.options.parseXml);
  const warnings = document.ok ? document.warnings : [];
  context.options.onStep?.({ url, depth, response, warnings });
  if (!document.ok) {
    const { code, reason, errorUrls = [] } = document;
    return [fail(code, `${url}: ${reason}`, [...errorUrls])];
  }

  const chain = [...wrappers, ad];
  const inner = allowedAds(document.ads, ad.allowMultipleAds);
  if (inner.length === 0) return [fail(303, `${url} contains no ad.`, document.errorUrls)];
  const results = await resolveAds(inner, context.options, async (next) => {
    const isForbidden = next.kind === "wrapper" && !ad.followAdditionalWrappers;
    if (!isForbidden) return resolveAd(next, chain, context);
    // The second wrapper is not followed, so its error URLs must not be requested.
    const failure = fail(300, `${url} is another wrapper, which the first one forbids.`);
    return [{ ...failure, id: next.id }];
  });
  // A wrapper with a single ad keeps its own position in the pod.
  const isSingle = inner.length === 1 && results.length === 1;
  return isSingle ? results.map((only) => ({ ...only, sequence: ad.sequence })) : results;
}

/**
 * Returns the ads that a wrapper allows (VAST 4.3, 3.19). Without `allowMultipleAds`, this is the
 * first stand-alone ad. Many servers number even a single ad, so the only ad of a response may have
 * a number.
 */
function allowedAds(ads: readonly ParsedAd[], allowMultipleAds: boolean): readonly ParsedAd[] {
  if (allowMultipleAds || ads.length <= 1) return ads;
  return ads.filter((ad) => ad.sequence === null).slice(0, 1);
}

type Fail = (code: number, reason: string) => FailedAd;

function finish(
  ad: ParsedAd,
  wrappers: readonly ParsedAd[],
  canPlay: (type: string) => boolean,
  fail: Fail,
): AdResult {
  const isPlayable = (file: ParsedLinear["mediaFiles"][number]) =>
    file.apiFramework === null && canPlay(file.type);
  const linear = ad.linears.find((candidate) => candidate.mediaFiles.some(isPlayable));
  if (linear === undefined) {
    if (ad.linears.length > 0) {
      return fail(403, "No media file that a browser can play (VPAID and Flash are not run).");
    }
    return ad.hasNonLinear
      ? fail(201, "The ad is an overlay, but a linear ad was requested.")
      : fail(200, "The ad has no linear creative.");
  }

  const levels = [...wrappers, ad];
  // Innermost first, because an ad without a ClickThrough uses the one of the nearest wrapper.
  const linears = [linear, ...wrappers.toReversed().flatMap((wrapper) => wrapper.linears)];
  const tracking = new Map<string, string[]>();
  for (const level of linears) {
    for (const [event, urls] of level.tracking) {
      tracking.set(event, [...(tracking.get(event) ?? []), ...urls]);
    }
  }
  return {
    outcome: "play",
    id: ad.id,
    title: ad.title,
    sequence: ad.sequence,
    wrapperCount: wrappers.length,
    durationS: linear.durationS,
    skip: linear.skip,
    mediaFiles: linear.mediaFiles.filter(isPlayable).map(({ apiFramework: _, ...file }) => file),
    impressions: levels.flatMap((level) => level.impressions),
    tracking,
    notVerified: levels.flatMap((level) => level.notVerified),
    progress: linears.flatMap((level) => level.progress),
    clickThrough: linears.find((level) => level.clickThrough !== null)?.clickThrough ?? null,
    clickTracking: linears.flatMap((level) => level.clickTracking),
    customClicks: linears.flatMap((level) => level.customClicks),
    viewable: levels.flatMap((level) => level.viewable),
    notViewable: levels.flatMap((level) => level.notViewable),
    icons: linears.flatMap((level) => level.icons),
    companions:
      levels.toReversed().find(({ companions }) => companions.length > 0)?.companions ?? [],
    errorUrls: levels.flatMap((level) => level.errorUrls),
  };
}
