/** Opens where an ad leads: a tab of its own, without opener and without referrer. */
export function openLink(url: string): void {
  window.open(url, "_blank", "noopener,noreferrer");
}

/** The attributes of a link of an ad. */
export const sponsoredLink = {
  target: "_blank",
  rel: "noopener noreferrer sponsored",
  referrerPolicy: "no-referrer",
} as const;
