/** Matches errors about ignored streams, and lines without an error. */
const harmless =
  /not on whitelist|unsupported codec|codec param|exceeds max_streams|last message repeated/i;

/** Returns the errors that a media tool printed about the chosen streams. */
export function listDecoderErrors(stderr: string): string[] {
  return stderr.split("\n").filter((line) => line.trim() !== "" && !harmless.test(line));
}
