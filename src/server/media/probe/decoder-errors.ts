/** Errors about streams that are ignored, and lines that report no error. */
const harmless = /not on whitelist|unsupported codec|codec param|last message repeated/i;

/** The errors that a media tool printed about the chosen streams. */
export function listDecoderErrors(stderr: string): string[] {
  return stderr.split("\n").filter((line) => line.trim() !== "" && !harmless.test(line));
}
