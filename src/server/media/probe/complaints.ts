/** Said about streams that are ignored, or about nothing. */
const harmless = /not on whitelist|unsupported codec|codec param|last message repeated/i;

/** What a media tool complained about, without what does not concern the chosen streams. */
export function listComplaints(stderr: string): string[] {
  return stderr.split("\n").filter((line) => line.trim() !== "" && !harmless.test(line));
}
