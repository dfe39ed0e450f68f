/** Opens the link of an ad in a new tab, without opener and referrer. */
export function openLink(url: string): void {
  window.open(url, "_blank", "noopener,noreferrer");
}

/** The attributes of links of ads. */
export const sponsoredLink = {
  target: "_blank",
  rel: "noopener noreferrer sponsored",
  referrerPolicy: "no-referrer",
} as const;
