import { absoluteUrl } from "../../contract/vast-address.ts";
import { isVmap } from "../../contract/vmap.ts";
import { declaresType, type ParseXml } from "./parse-document.ts";
import { parseOffset, type VmapBreak } from "./vast-ad.ts";

/** Codes of VMAP for its `error` events. */
export const vmapCodes = {
  schema: 1000,
  breakType: 1003,
  document: 1004,
  template: 1005,
  parsing: 1006,
  timeout: 1007,
  retrieval: 1008,
} as const;

/** Maximum number of breaks. Regular documents don't have more. Further breaks are ignored. */
const maxBreaks = 50;

/** Ignores namespace prefixes, which differ between servers. */
const nameOf = (node: Node) => node.nodeName.replace(/^.*:/, "").toLowerCase();
const children = (node: Element, name: string): Element[] =>
  Array.from(node.childNodes).filter(
    (child): child is Element => child.nodeType === 1 && nameOf(child) === name.toLowerCase(),
  );
const text = (node: Element | undefined): string => node?.textContent?.trim() ?? "";

/** Returns the breaks of a VMAP document. Null for VAST documents and invalid ones. */
export function parseVmap(xml: string, baseUrl: string, parseXml: ParseXml): VmapBreak[] | null {
  // The VAST reader rejects documents that declare a document type.
  if (!isVmap(xml) || declaresType(xml)) return null;
  const root = parseXml(xml)?.documentElement;
  if (root === undefined || root === null || nameOf(root) !== "vmap") return null;
  return children(root, "AdBreak")
    .slice(0, maxBreaks)
    .map((element, index) => readBreak(element, index, baseUrl));
}

function readBreak(element: Element, index: number, baseUrl: string): VmapBreak {
  const tracking: VmapBreak["tracking"] = { breakStart: [], breakEnd: [], error: [] };
  for (const node of children(element, "TrackingEvents").flatMap((events) =>
    children(events, "Tracking"),
  )) {
    const event = node.getAttribute("event")?.trim() ?? "";
    const url = absoluteUrl(text(node), baseUrl);
    if (url !== null && Object.hasOwn(tracking, event)) {
      tracking[event as keyof VmapBreak["tracking"]].push(url);
    }
  }
  const [adSource] = children(element, "AdSource");
  const offset = readTime(element.getAttribute("timeOffset"));
  const types = (element.getAttribute("breakType") || "linear").toLowerCase();
  const read = adSource === undefined ? noSource : readSource(adSource, baseUrl);
  const { source, problem } =
    offset === null
      ? unknownTime
      : types.includes("linear") && !/^\s*nonlinear\s*$/.test(types)
        ? read
        : notLinear;
  return {
    index,
    id: element.getAttribute("breakId") || null,
    at: offset ?? "end",
    repeatAfterS: readRepeat(element.getAttribute("repeatAfter")),
    source,
    problem,
    allowsPods: isAllowed(adSource, "allowMultipleAds"),
    followsWrappers: isAllowed(adSource, "followRedirects"),
    tracking,
  };
}

/** Returns whether an attribute is true. Both attributes default to true in VMAP. */
const isAllowed = (source: Element | undefined, name: string): boolean =>
  !/^(false|0)$/i.test(source?.getAttribute(name)?.trim() ?? "");

/**
 * Parses `start`, `end`, a time or a percentage. Null for the n-th opportunity (`#n`) and anything
 * else.
 */
function readTime(value: string | null): VmapBreak["at"] | null {
  const time = value?.trim().toLowerCase() ?? "";
  return time === "start" || time === "end" ? time : parseOffset(time);
}

/** Minimum interval in seconds. With a shorter one, the video would hardly continue. */
const minRepeatS = 10;

function readRepeat(value: string | null): number | null {
  const offset = parseOffset(value);
  return offset?.kind === "seconds" && offset.s >= minRepeatS ? offset.s : null;
}

interface Read {
  source: VmapBreak["source"];
  problem: VmapBreak["problem"];
}
const failed = (code: number, reason: string): Read => ({
  source: null,
  problem: { code, reason },
});
const unknownTime = failed(
  vmapCodes.schema,
  "A break has a timeOffset that this player doesn't support.",
);
const notLinear = failed(vmapCodes.breakType, "A break isn't linear, so it isn't shown.");
const noSource = failed(vmapCodes.document, "A break has neither a VAST document nor its URL.");

function readSource(element: Element, baseUrl: string): Read {
  const [data] = children(element, "VASTAdData").concat(children(element, "VASTData"));
  if (data !== undefined) {
    const vast = Array.from(data.childNodes).find(({ nodeType }) => nodeType === 1);
    // Some servers put the document into a CDATA section.
    const inline = vast === undefined ? text(data) : serialize(vast);
    return inline === "" ? noSource : { source: { text: inline }, problem: null };
  }
  const [tag] = children(element, "AdTagURI");
  if (tag === undefined) {
    return children(element, "CustomAdData").length === 0
      ? noSource
      : failed(vmapCodes.template, "A break has ads in a custom format.");
  }
  const template = tag.getAttribute("templateType") || "vast";
  if (!/^\s*vast/i.test(template)) {
    return failed(vmapCodes.template, `A break has a tag for ${template}, not for VAST.`);
  }
  const url = absoluteUrl(text(tag), baseUrl);
  return url === null ? noSource : { source: { url }, problem: null };
}

const serialize = (node: Node): string => new XMLSerializer().serializeToString(node);

/**
 * Returns the time of a break in a video of this length: "start", "end", seconds, or null for
 * never. The length is 0 while it is unknown.
 */
export function placeOf(
  { at, source }: VmapBreak,
  durationS: number,
): "start" | "end" | number | null {
  if (source === null) return null;
  if (at === "start" || at === "end") return at;
  if (at.kind === "percent" && at.percent === 0) return "start";
  if (at.kind === "percent" && at.percent === 100) return "end";
  const s = at.kind === "seconds" ? at.s : (durationS * at.percent) / 100;
  if (s === 0) return at.kind === "seconds" ? "start" : null;
  if (durationS <= 0) return s;
  if (Math.abs(s - durationS) <= 1) return "end";
  return s < durationS ? s : null;
}

/** Maximum number of times for one break. Regular videos don't have more. */
const maxRepeats = 50;

/**
 * Returns all times of a break in a video of this length: the first one, then one after each
 * `repeatAfter` until the end of the video. A break at the end isn't repeated.
 */
export function placesOf(one: VmapBreak, durationS: number): ("start" | "end" | number)[] {
  const first = placeOf(one, durationS);
  if (first === null) return [];
  if (first === "end" || one.repeatAfterS === null) return [first];
  const firstS = first === "start" ? 0 : first;
  const places: ("start" | "end" | number)[] = [first];
  for (
    let s = firstS + one.repeatAfterS;
    s < durationS - 1 && places.length <= maxRepeats;
    s += one.repeatAfterS
  ) {
    places.push(s);
  }
  return places;
}
