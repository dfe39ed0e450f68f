import { detectContainer, videoHeadBytes } from "#contract/videos/video-bytes.ts";

/** Checks the first bytes. An empty or unreadable file is reported later. */
export async function isVideoFile(file: File, isDropped: boolean): Promise<boolean> {
  // The operating system may not know the type of a file.
  if (!file.type.startsWith("video/") && (isDropped || file.type !== "")) return false;
  try {
    const head = new Uint8Array(await file.slice(0, videoHeadBytes).arrayBuffer());
    return head.length === 0 || detectContainer(head) !== null;
  } catch {
    return true;
  }
}
