/**
 * Maximum number of origins for one ad, in the settings, and for all trusted ads together. `length`
 * is the maximum length of one origin.
 */
export const originLimits = { ad: 20, settings: 20, pages: 40, length: 100 } as const;

const host = "[a-z0-9]([a-z0-9.-]*[a-z0-9])?";
const plainOrigin = new RegExp(`^https?://${host}(:\\d{1,5})?$`);
const secureOrigin = new RegExp(`^https://(\\*\\.)?${host}(:\\d{1,5})?$`);
const loopbackOrigin = /^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/;
/** Common suffixes under which anyone can register: `com`, `co.uk`. */
const openSuffix = /^(?:[^.]+|(?:co|com|net|org|gov|edu|ac|or|ne|go)\.[a-z]{2})$/;

/**
 * Returns whether the text is only a scheme, a host name and optionally a port. The host of a
 * parsed URL may still contain `*` or `;`, which a policy reads as a wildcard or the end of a
 * directive.
 */
export const isScriptOrigin = (text: string): boolean => plainOrigin.test(text);

/**
 * Returns whether an ad or the settings may list this origin: `https://host`, or `https://*.host`
 * for all its subdomains. http is only allowed for a server on the same machine.
 */
export function isListedOrigin(text: string): boolean {
  if (text.length > originLimits.length || text.includes("..")) return false;
  if (loopbackOrigin.test(text)) return true;
  if (!secureOrigin.test(text)) return false;
  const name = text.replace(/^https:\/\//, "").replace(/:\d+$/, "");
  return !name.startsWith("*.") || !openSuffix.test(name.slice(2));
}

/** Returns whether a Content Security Policy may contain this origin. */
export const isPolicyOrigin = (text: string): boolean =>
  isScriptOrigin(text) || isListedOrigin(text);
