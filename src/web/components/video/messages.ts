import { inLanguage } from "#web/lib/language/page-language.ts";

export const videoMessages = inLanguage("videos");

/** Returns "Failed to fetch videos: 503", without the number if there was no response. */
export function listFailureText(status: number | null): string {
  return status === null ? videoMessages.fetchFailed : videoMessages.fetchFailedWith(status);
}
