import { inLanguage } from "#web/lib/language/page-language.ts";

export const shareMessages = inLanguage("share", {
  title: "Share",
  link: "Link",
  copy: "Copy",
  copyOf: (label: string) => `Copy: ${label}`,
  linkCopied: "Video link copied to clipboard!",
  startAt: (position: string) => `Start at ${position}`,
  embed: "Embed code",
  embedCopied: "Embed code copied to clipboard!",
  notCopied: "It could not be copied. Select the text and copy it yourself.",
  qr: "QR code of the link",
  qrHint: "Point the camera of another device at the code to go on there.",
  device: "More apps...",
});
