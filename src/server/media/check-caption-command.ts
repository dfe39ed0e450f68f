import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "#server/lib/app-error.ts";
import { splitCommand } from "./plan/split-command.ts";

/**
 * Checks at the start, and not only with the first video, whether automatic captions can run.
 * @throws OperatorError that names CAPTION_COMMAND if its program doesn't exist or can't run.
 */
export async function checkCaptionCommand(command: string, searchPath: string): Promise<void> {
  const [program = ""] = splitCommand(command);
  const places = program.includes("/")
    ? [path.resolve(program)]
    : searchPath.split(path.delimiter).map((folder) => path.join(folder, program));
  const found = await Promise.all(places.map(isProgram));
  if (found.includes(true)) return;
  const where = program.includes("/") ? "" : " in the folders of PATH";
  throw new OperatorError(
    `CAPTION_COMMAND: couldn't find "${program}"${where}, or this user may not run it. Enter the full path of the program, or leave the variable empty to turn off automatic captions.`,
  );
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
