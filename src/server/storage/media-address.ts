/**
 * Where a video's files live. A storage key below `v/` is also its public path below `/media/`: the
 * folder is an unguessable token, the names change with their content, so answers never go stale.
 */
export const publicVideoPrefix = "v/";

export function videoFolder(mediaToken: string): string {
  return `${publicVideoPrefix}${mediaToken}/`;
}

/** Originals lie outside of everything that is served. */
export function sourceKey(videoId: string): string {
  return `sources/${videoId}`;
}

export function mediaUrl(key: string | null): string | null {
  return key === null ? null : `/media/${key}`;
}

/**
 * What lies directly below a video's folder on the way to a key: each run of a stage writes into a
 * folder of its own, so that what a row still names can be told from what an earlier run left.
 */
export function partOf(key: string): string {
  return key.split("/")[2] ?? "";
}
