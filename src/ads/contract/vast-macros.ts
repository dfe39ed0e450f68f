/**
 * Values known when a URL is requested. Absent ones become -1, "unknown" (VAST 4.3, section 6.1).
 */
export interface MacroValues {
  errorCode?: number;
  /** Seconds into the ad. */
  adPlayheadS?: number;
  /** Seconds into the content around it. */
  mediaPlayheadS?: number;
  assetUrl?: string;
  pageUrl?: string;
  podSequence?: number;
  /** Reason why a verification script wasn't run. */
  reason?: number;
}

export interface MacroEnvironment {
  random: () => number;
  date: () => Date;
  /** Value of `[GDPRCONSENT]`: a TCF string, 1 or 0; undefined before the visitor's choice. */
  consent?: () => string | undefined;
  /** 1 if the GDPR applies according to a consent platform, 0 if not; undefined if unknown. */
  gdpr?: () => number | undefined;
}

/** Macros of VAST 4.3 for which neither the player nor the server has a value. */
const unknownMacros = new Set(
  `ADCATEGORIES ADCOUNT ADSERVINGID ADTYPE APIFRAMEWORKS APPBUNDLE BLOCKEDADCATEGORIES
  BREAKMAXADLENGTH BREAKMAXADS BREAKMAXDURATION BREAKMINADLENGTH BREAKMINDURATION BREAKPOSITION
  CLICKPOS CLICKTYPE CLIENTUA CONTENTCAT CONTENTID CONTENTURI DEVICEIP DEVICEUA DOMAIN EXTENSIONS
  IFA IFATYPE INVENTORYSTATE LATLONG LIMITADTRACKING MEDIAMIME OMIDPARTNER
  PLACEMENTTYPE PLAYERCAPABILITIES PLAYERSIZE PLAYERSTATE REGULATIONS SERVERSIDE SERVERUA
  TRANSACTIONID UNIVERSALADID VASTVERSIONS VERIFICATIONVENDORS`.split(/\s+/),
);

/** Formats a time as `HH:MM:SS.mmm` (VAST 4.3, section 6.3). */
export function timecode(totalS: number): string {
  const ms = Math.max(0, Math.round(totalS * 1000));
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const clock = `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`;
  return `${clock}.${String(ms % 1000).padStart(3, "0")}`;
}

/** Percent-encodes as in RFC 3986. `encodeURIComponent` doesn't encode five reserved characters. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Expands the macros of one URL template, in the forms `[NAME]` and `%%NAME%%`. Those in lower case are
 * Google's. Known macros without a value become -1. Other text in brackets stays unchanged.
 * `${GDPR}` and `${GDPR_CONSENT_<vendor>}` (IAB TCF 2.2) are empty if unknown.
 */
export function expandMacros(
  template: string,
  values: MacroValues,
  environment: MacroEnvironment,
): string {
  const cacheBusting = () => String(Math.floor(environment.random() * 1e8)).padStart(8, "0");
  const optional = (value: number | string | undefined, format = String) =>
    value === undefined ? "-1" : encode(format(value));

  function valueOf(name: string): string | null {
    switch (name) {
      case "ERRORCODE":
        return values.errorCode === undefined ? "-1" : String(values.errorCode).padStart(3, "0");
      case "CACHEBUSTING":
      case "CACHEBUSTER":
      case "RANDOM":
      case "random":
        return cacheBusting();
      case "TIMESTAMP":
        return encode(environment.date().toISOString());
      case "timestamp":
        return String(environment.date().getTime());
      case "ADPLAYHEAD":
        return values.adPlayheadS === undefined ? "-1" : encode(timecode(values.adPlayheadS));
      case "MEDIAPLAYHEAD":
      case "CONTENTPLAYHEAD":
        return values.mediaPlayheadS === undefined ? "-1" : encode(timecode(values.mediaPlayheadS));
      case "ASSETURI":
        return optional(values.assetUrl);
      case "PAGEURL":
      case "referrer_url":
      case "description_url":
        return optional(values.pageUrl);
      case "GDPRCONSENT":
        return optional(environment.consent?.());
      case "REASON":
        return optional(values.reason);
      case "PODSEQUENCE":
        return optional(values.podSequence);
      default:
        return unknownMacros.has(name) ? "-1" : null;
    }
  }

  return template
    .replace(
      /\[([A-Za-z_]{3,24})\]|%%([A-Za-z]{3,24})%%/g,
      (whole, bracketed: string | undefined, percented: string | undefined) =>
        valueOf(bracketed ?? percented ?? "") ?? whole,
    )
    .replace(/\$\{GDPR(_CONSENT_\d+)?\}/g, (_whole, vendor: string | undefined) => {
      if (vendor === undefined) return String(environment.gdpr?.() ?? "");
      const consent = environment.consent?.() ?? "";
      return consent.length > 1 ? encode(consent) : "";
    });
}
