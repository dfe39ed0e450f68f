import type { KeptVideo } from "#web/lib/visitor-library/library-data.ts";
import { library } from "#web/lib/visitor-library/library.ts";
import { reportIfLost } from "./report-lost.ts";

/** Adds a video to Watch later or removes it. Tells the visitor if the browser doesn't store it. */
export function toggleLater(video: Omit<KeptVideo, "atMs">): void {
  reportIfLost(library.toggleLater(video));
}
