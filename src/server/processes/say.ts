/** Prints a line for the user at the terminal; the log is for machines. */
export type Say = (line: string) => void;

export const say: Say = (line) => {
  process.stdout.write(`${line}\n`);
};
