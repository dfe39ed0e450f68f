/** Splits a command line into words, respecting quotes. No shell is involved. */
export function splitCommand(command: string): string[] {
  const words = command.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g);
  return Array.from(words, ([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
