/** Problem that the user can solve. Only its message is shown, without a stack. */
export class SetupError extends Error {}

/** System error codes for locations that this user can't write to. */
const readOnlyCodes = ["EROFS", "EACCES", "EPERM"];

/** Prints a line of progress to stderr, to keep the command's output clean. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/**
 * Oldest Node.js that can run the setup, which then installs the version that Kinora needs.
 */
const neededMajor = 20;

/** Runs a command's main function. Expected problems end it with one line and exit code 1. */
export async function runMain(main, version = process.versions.node) {
  try {
    if (Number.parseInt(version, 10) < neededMajor) {
      throw new SetupError(
        `Kinora needs Node.js ${neededMajor} or newer, and this is v${version}. Install a newer one from https://nodejs.org and try again.`,
      );
    }
    const code = await main();
    if (typeof code === "number") process.exitCode = code;
  } catch (error) {
    if (!(error instanceof SetupError) && !readOnlyCodes.includes(error.code)) throw error;
    say(error instanceof SetupError ? error.message : explainReadOnly(error));
    process.exitCode = 1;
  }
}

/**
 * A service may not be able to write to the program's folder, but a new version has to be set up
 * there.
 */
function explainReadOnly({ code, path }) {
  return `This version of Kinora isn't set up yet, and ${path ?? "its folder"} can't be written (${code}). Run npm start -- --prepare in the program's folder as the user who owns it, then start again.`;
}
