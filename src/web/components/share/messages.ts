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
  notCopied: "Couldn't copy it. Select the text and copy it manually.",
  qr: "QR code for the link",
  qrHint: "Scan the code with another device to continue there.",
  device: "More apps...",
});
