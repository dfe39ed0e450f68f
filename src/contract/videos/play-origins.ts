/**
 * Origin of a play. The browser determines the origin and sends only this word, so the server never
 * learns the exact page, search or site.
 */
export const playOrigins = [
  /** The For You feed, or a link in it. */
  "feed",
  /** A list of videos: home, trending, a category, a tag, an actor. */
  "lists",
  "search",
  /** Another video: related videos and "Up next". */
  "related",
  /** History, favorites and playlists of the visitor. */
  "library",
  /** One of the site's own referral links. */
  "referral",
  /** A link on another site. */
  "external",
  /** A player on another site. */
  "embed",
  "direct",
] as const;
export type PlayOrigin = (typeof playOrigins)[number];

/** Kinds of sources of which plays are counted per day. */
export type PlaySourceKind = "origin" | "country" | "device";

export const playDevices = ["phone", "tablet", "desktop", "tv"] as const;
export type PlayDevice = (typeof playDevices)[number];
