/** The words of a command line; quotes hold words together. No shell reads it. */
export function splitCommand(command: string): string[] {
  const words = command.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g);
  return Array.from(words, ([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
