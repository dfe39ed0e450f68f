/** Attributes of ads' links. */
export const sponsoredLink = {
  target: "_blank",
  rel: "noopener noreferrer sponsored",
  referrerPolicy: "no-referrer",
} as const;
