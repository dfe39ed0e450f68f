import { runCommand } from "./commands/run-command.ts";
import { outliveReaders } from "./processes/say.ts";

outliveReaders();
let isSettled = false;
// Reports a command that ended while it was waiting and hadn't done anything.
process.on("exit", (code) => {
  if (isSettled || code !== 0) return;
  process.stderr.write("The command was interrupted. Nothing was done.\n");
  process.exitCode = 1;
});
void runCommand(process.argv.slice(2)).then((code) => {
  isSettled = true;
  process.exitCode = code;
});
