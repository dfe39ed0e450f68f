/** Prints a line for the user at the terminal; the log is for machines. */
export type Say = (line: string) => void;

export const say: Say = (line) => {
  process.stdout.write(`${line}\n`);
};

/** Lets the process go on when the program that reads its output has ended. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
