/** Where a request leads, as far as age and country matter. */
interface Address {
  /** In lower case, decoded, without a slash at its end. */
  path: string;
  /** Id, slug or media token of the one video that it is about; null for anything else. */
  video: string | null;
}

const ofVideo = /^\/(?:video|embed|feed|report|comments|api\/videos|media\/v)\/([^/]+)/;
/** What users of the back office need to get in, and what proxies ask. */
const operators =
  /^\/(?:admin|auth|setup|assets|api\/(?:admin|auth|account|settings)|healthz|readyz)(?:\/|$)/;
/** Open to everyone: who runs the site, what it stores, and how to complain. */
const legal = /^\/(?:terms|privacy|contact|source|takedown|removals)$/;
const legalCalls = /^\/api\/(?:forget|privacy|takedowns|pages\/[^/]+)$/;
const noPage = /^\/(?:api|media|assets|spots|\.well-known)(?:\/|$)/;

export function readAddress(url: string): Address {
  const [raw = ""] = url.split("?", 1);
  let path = raw;
  try {
    path = decodeURIComponent(raw);
  } catch {
    // Such an address leads nowhere.
  }
  path = path
    .toLowerCase()
    .replace(/\/{2,}/g, "/")
    .replace(/(.)\/$/, "$1");
  return { path, video: ofVideo.exec(path)?.[1] ?? null };
}

export const isForOperators = ({ path }: Address): boolean => operators.test(path);

export const isLegal = ({ path }: Address): boolean => legal.test(path) || legalCalls.test(path);

/** A page with content of the site. Files such as `robots.txt` and feeds have a dot in their name. */
export const isContentPage = ({ path }: Address): boolean =>
  !noPage.test(path) && !legal.test(path) && !/\.[^/]*$/.test(path);
