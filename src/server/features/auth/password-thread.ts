import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { hashSync, verifySync } from "@node-rs/argon2";
import type { PasswordResult, PasswordTask } from "./password-worker.ts";

/** Argon2id with the parameters of OWASP's password storage cheat sheet (19 MiB, t=2, p=1). */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Low priority. Sign-ins wait a little longer while pages and media are served. */
const niceness = 10;

// Only Linux has per-thread priorities. Elsewhere this would change the whole process.
if (process.platform === "linux") setPriority(0, niceness);

let decoy: string | null = null;

function perform(task: PasswordTask): string | boolean {
  const { stored, password } = task;
  // Devices encode accented letters as one character or as two.
  const composed = password.normalize("NFC");
  if (task.kind === "hash") return hashSync(composed, parameters);
  decoy ??= hashSync("the password of no account", parameters);
  const hash = stored ?? decoy;
  // Older versions hashed the text as it was typed.
  const isMatch =
    verifySync(hash, composed) || (composed !== password && verifySync(hash, password));
  return isMatch && stored !== null;
}

parentPort?.on("message", ({ number, ...task }: PasswordTask & { number: number }) => {
  const answer: PasswordResult = { number, result: perform(task) };
  parentPort?.postMessage(answer, []);
});
