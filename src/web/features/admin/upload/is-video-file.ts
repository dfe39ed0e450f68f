/** Returns whether a file may be a video, by its type. The server checks its bytes. */
export function isVideoFile({ type }: File, isDropped: boolean): boolean {
  // The operating system may not know the type of a file.
  return type.startsWith("video/") || (type === "" && !isDropped);
}
