import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface PasswordTask {
  kind: "hash" | "verify";
  /**
   * Hash to compare with. Null compares with a decoy, which takes equally long and never matches.
   */
  stored: string | null;
  password: string;
}

let worker: Worker | null = null;

function start(): Worker {
  const started = new Worker(new URL("./password-thread.ts", import.meta.url));
  const forget = () => {
    if (worker === started) worker = null;
  };
  started.on("error", forget);
  started.on("exit", forget);
  return started;
}

/**
 * Hashes or verifies in a low-priority thread. It is outside libuv's pool, because file reads and
 * compression need that. Runs one task at a time.
 */
export async function performInThread(task: PasswordTask): Promise<unknown> {
  worker ??= start();
  const current = worker;
  // The thread keeps the process alive only while it works.
  current.ref();
  try {
    const response = once(current, "message");
    current.postMessage(task, []);
    const messages: unknown[] = await response;
    return messages[0];
  } finally {
    current.unref();
  }
}
