// oxlint-disable kinora/request-target -- The module that all other code uses instead.
import type { IncomingMessage } from "node:http";
import type { Language } from "#contract/site/languages.ts";
import { splitLanguage } from "#contract/site/translated-pages.ts";

/**
 * Address of a request in its canonical spelling. All server code reads this: the cache, the age
 * and country checks, headers, the router, pages and logs. The lint rule `kinora/request-target`
 * rejects code that reads `request.url` instead.
 */
export interface RequestTarget {
  /** Path and query, including a page's language. */
  readonly fullUrl: string;
  /** Path and query without the language, as the router sees them. */
  readonly url: string;
  /** Path of `url`. */
  readonly path: string;
  /** Path for comparisons: in lower case and without a trailing slash. */
  readonly place: string;
  /** Language of a page whose address starts with one. */
  readonly language: Language | null;
}

const notPrintable = /[^!-~]/;
/**
 * Matches a backslash, an empty or dot segment, an incomplete escape, and encoded slashes,
 * backslashes, dots and control characters. Programs read these differently, and no address of the
 * site contains them.
 */
const ambiguous = /\/\/|\\|\/\.\.?(?:\/|$)|%(?![\da-f]{2})|%(?:2[ef]|5c|[01][\da-f]|7f|c2%[89])/i;
const absolute = /^(https?):\/\/([^/?]*)(.*)$/i;
/** Letters, digits, `-`, `_` and `~` mean the same with and without encoding (RFC 3986, 2.3). */
const needlesslyEncoded = /%(?:2d|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi;

/**
 * Maximum number of cached targets, and the maximum length of one. They are cached because many
 * requests are equal.
 */
const maxKept = 2000;
const maxKeptLength = 300;
const kept = new Map<string, RequestTarget>();

const targets = new WeakMap<IncomingMessage, RequestTarget>();

/** Letters outside of ASCII, with the ASCII letter that a combining mark may follow. */
const encodedLetters = /[a-z]?(?:%[89A-F][\dA-F])+/gi;

/** Composes letters and their marks (NFC), as slugs are stored. Keeps what isn't UTF-8. */
function composed(letters: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(letters).normalize("NFC"));
  } catch {
    return letters;
  }
}

function canonicalPath(path: string): string {
  if (!path.includes("%")) return path;
  return path
    .replace(needlesslyEncoded, decodeURIComponent)
    .replace(/%[\da-f]{2}/gi, (byte) => byte.toUpperCase())
    .replace(encodedLetters, composed);
}

function describe(fullUrl: string): RequestTarget {
  const { language, url } = splitLanguage(fullUrl);
  const [path = ""] = url.split("?", 1);
  const place = path.toLowerCase().replace(/(.)\/$/, "$1");
  return { fullUrl, url, path, place, language };
}

function keep(target: RequestTarget): RequestTarget {
  if (target.fullUrl.length > maxKeptLength) return target;
  if (kept.size >= maxKept) kept.clear();
  kept.set(target.fullUrl, target);
  return target;
}

/** Returns host and port without the scheme's default port. */
function authorityOf(scheme: string, text: string): string {
  const defaultPort = scheme.toLowerCase() === "https" ? /:443$/ : /:80$/;
  return text.toLowerCase().replace(defaultPort, "");
}

/**
 * Returns path and query of a target in absolute form (RFC 9112, 3.2.2), or null if it is for
 * another site.
 */
function reduceAbsolute(given: string, host: string): string | null {
  const [, scheme = "", authority = "", rest = ""] = absolute.exec(given) ?? [];
  if (authority === "") return null;
  if (authorityOf(scheme, authority) !== authorityOf(scheme, host)) return null;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/**
 * Parses the target of a request.
 * @returns the target, or the reason why it is refused.
 */
function readTarget(method: string, given: string, host: string): RequestTarget | string {
  const known = kept.get(given);
  if (known !== undefined) return known;
  if (notPrintable.test(given)) return "The URL may contain only printable ASCII characters.";
  if (given.includes("#")) return "The URL must not contain a fragment.";
  if (given === "*" && method === "OPTIONS") return describe(given);
  const relative = given.startsWith("/") ? given : reduceAbsolute(given, host);
  if (relative === null) return "The URL must start with a slash or with the URL of this site.";
  const end = relative.indexOf("?");
  const path = end < 0 ? relative : relative.slice(0, end);
  if (ambiguous.test(path)) {
    return "The path must not contain empty or dot segments, or encoded slashes, dots or control characters.";
  }
  return keep(describe(canonicalPath(path) + (end < 0 ? "" : relative.slice(end))));
}

/**
 * Sets a request's target, for all later code and for libraries that read `url`.
 * @returns null, or the reason why the target is refused.
 */
export function acceptTarget(request: IncomingMessage): string | null {
  const { method = "GET", url = "", headers } = request;
  const target = readTarget(method, url, headers.host ?? "");
  if (typeof target === "string") return target;
  request.url = target.fullUrl;
  targets.set(request, target);
  return null;
}

/** Returns the target of a request. Accepts the site's own requests unchanged. */
export function targetOf(request: IncomingMessage): RequestTarget {
  const known = targets.get(request);
  if (known !== undefined) return known;
  const target = describe(request.url ?? "");
  targets.set(request, target);
  return target;
}

/**
 * Parses a query without its `?`, for handlers and the keys of cached responses. Pages get the same
 * names and values from `URL`.
 */
export const parseQuery = (text: string): URLSearchParams =>
  // The first `?` is dropped. Another one belongs to the name of the first parameter.
  new URLSearchParams(`?${text}`);

/** Returns a query as an object. A repeated name has a list of values. */
export function readQuery(text: string): Record<string, string | string[]> {
  const query = new Map<string, string | string[]>();
  for (const [name, value] of parseQuery(text)) {
    const known = query.get(name);
    if (known === undefined) query.set(name, value);
    else if (typeof known === "string") query.set(name, [known, value]);
    else known.push(value);
  }
  return Object.fromEntries(query);
}

/** Returns a request's path for logs and traces, without the query and a private link's secret. */
export const loggedPath = (request: IncomingMessage): string =>
  targetOf(request).path.replace(/(\/private\/)[^/]+/i, "$1…");

export const isApiPath = (path: string): boolean => /^\/api(?:\/|$)/.test(path);

/**
 * Returns whether a program sent a request whose target may be refused. Programs get errors as
 * JSON.
 */
export const isProgramRequest = ({ url = "" }: IncomingMessage): boolean =>
  /^(?:https?:\/\/[^/?]*)?\/api(?:[/?]|$)/i.test(url);
