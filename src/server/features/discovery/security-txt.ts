const dayMs = 24 * 3600 * 1000;
/** RFC 9116 recommends less than a year, so that readers notice an abandoned file. */
const validDays = 180;

/** Returns the contact for vulnerability reports in the format of RFC 9116. */
export function securityText(contact: string, siteUrl: string, nowMs: number): string {
  const today = Math.floor(nowMs / dayMs) * dayMs;
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(today + validDays * dayMs).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${siteUrl}/.well-known/security.txt`,
    "",
  ].join("\n");
}
