import { randomBytes, type KeyObject } from "node:crypto";
import { adPlacements, type AdOrigin, type AdPlacement } from "../../contract/ads.ts";
import { equalBytes, hmacText } from "#server/lib/ids.ts";

/** Content and recipient of one response of the public list. */
interface Served {
  /** Created in advance if the number is needed earlier. */
  id?: ServeId;
  visitorId: string;
  /** Null if the request had none. */
  placement: AdPlacement | null;
  /** Defaults to `site`. */
  origin?: AdOrigin;
  adKeys: readonly string[];
}

/** Unique identity of a serve. */
export interface ServeId {
  /** Signed 64-bit number in decimal. */
  number: string;
  bytes: Buffer;
}

/** Parsed token. */
interface ReadServe {
  /** Signed 64-bit number in decimal, different for every response. */
  serve: string;
  placement: AdPlacement | null;
  origin: AdOrigin;
  hasAd(adId: string): boolean;
}

/** Lifetime of a token. A page open for longer must request ads again before it can count them. */
export const serveLifetimeMs = 12 * 3600 * 1000;
const bodyLength = 12;
const bodyChars = 16;
const macChars = 16;
const adChars = 8;
const noPlacement = "-";
/** One character per placement: digits on the site, letters in embeds. */
const placementChars = { site: "0123456789", embed: "abcdefghij" } as const;

/** Returns the last 48 bits of an ad's id, which are random, as used in tokens. */
export function adKey(adId: string): string {
  return Buffer.from(adId.slice(-12), "hex").toString("base64url");
}

export function drawServeId(): ServeId {
  const bytes = randomBytes(bodyLength);
  return { bytes, number: bytes.readBigInt64BE(0).toString() };
}

/**
 * Tokens that identify one response of the public list. In base64url: 8 random bytes, the minute of
 * creation, the placement, 6 bytes per ad, and 12 bytes of HMAC over all of it and the visitor.
 * Events with a token count once per ad and event.
 */
export function createServeTokens(secret: KeyObject, now: () => number) {
  const mac = (text: string, visitorId: string) =>
    hmacText(secret, `serve:${text}:${visitorId}`).slice(0, macChars);

  return {
    create({ id, visitorId, placement, origin = "site", adKeys }: Served): string {
      // The minute replaces the last 4 bytes.
      const body = id?.bytes ?? randomBytes(bodyLength);
      body.writeUInt32BE(Math.floor(now() / 60_000) >>> 0, 8);
      const place =
        placement === null
          ? noPlacement
          : placementChars[origin].charAt(adPlacements.indexOf(placement));
      const text = `${body.toString("base64url")}${place}${adKeys.join("")}`;
      return text + mac(text, visitorId);
    },
    /** Returns null if the token is forged, expired, or for another visitor. */
    read(token: string, visitorId: string): ReadServe | null {
      const adsLength = token.length - bodyChars - 1 - macChars;
      if (adsLength < 0 || adsLength % adChars !== 0) return null;
      const text = token.slice(0, -macChars);
      const given = Buffer.from(token.slice(-macChars));
      if (!equalBytes(given, Buffer.from(mac(text, visitorId)))) return null;
      const body = Buffer.from(text.slice(0, bodyChars), "base64url");
      const ageMs = now() - body.readUInt32BE(8) * 60_000;
      if (ageMs > serveLifetimeMs || ageMs < -120_000) return null;
      const place = text.charAt(bodyChars);
      const origin = placementChars.embed.includes(place) ? "embed" : "site";
      return {
        serve: body.readBigInt64BE(0).toString(),
        placement: adPlacements[placementChars[origin].indexOf(place)] ?? null,
        origin,
        hasAd(adId) {
          const wanted = adKey(adId);
          for (let at = bodyChars + 1; at < text.length; at += adChars) {
            if (text.startsWith(wanted, at)) return true;
          }
          return false;
        },
      };
    },
  };
}

export type ServeTokens = ReturnType<typeof createServeTokens>;
