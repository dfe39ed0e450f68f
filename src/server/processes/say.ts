/** Prints a line for the user at the terminal. The log is for machines. */
export type Say = (line: string) => void;

export const say: Say = (line) => {
  process.stdout.write(`${line}\n`);
};

/** Lets the process continue after the program that reads its output has ended. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
