/** A problem that a person can act on: its message is shown alone, without a stack. */
export class SetupError extends Error {}

/** One line of progress. On stderr, so that what a command prints stays clean. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs a command's main function; expected problems end with their line and exit code 1. */
export async function runMain(main) {
  try {
    const code = await main();
    if (typeof code === "number") process.exitCode = code;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}
