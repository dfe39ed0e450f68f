import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface PasswordTask {
  kind: "hash" | "verify";
  /** The hash to compare with; null compares with a decoy, which takes as long and never matches. */
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
 * Hashes or verifies in a thread of low priority, outside libuv's pool, which file reads and
 * compression need. One task at a time: the next one comes after this one's result.
 */
export async function performInThread(task: PasswordTask): Promise<unknown> {
  worker ??= start();
  const current = worker;
  // Only while it works does the thread keep the process alive.
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
