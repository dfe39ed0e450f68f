import { on } from "node:events";
import { Worker } from "node:worker_threads";

export interface PasswordTask {
  kind: "hash" | "verify";
  /**
   * Hash to compare with. Null compares with a decoy, which takes equally long and never matches.
   */
  stored: string | null;
  password: string;
}

/** What the thread answers to the task with this number. */
export interface PasswordResult {
  number: number;
  result: string | boolean;
}

let worker: Worker | null = null;
let lastNumber = 0;
/** Tasks without a result so far. */
let running = 0;

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
 * compression need that. Runs one task at a time. Results carry the number of their task: another
 * task's result would let somebody in with a wrong password.
 */
export async function performInThread(task: PasswordTask): Promise<string | boolean> {
  worker ??= start();
  const current = worker;
  lastNumber += 1;
  const number = lastNumber;
  // The thread keeps the process alive only while it works.
  running += 1;
  current.ref();
  const answers: AsyncIterable<PasswordResult[]> = on(current, "message", { close: ["exit"] });
  try {
    current.postMessage({ ...task, number }, []);
    for await (const [answer] of answers) {
      if (answer?.number === number) return answer.result;
    }
    throw new Error("The password thread has ended");
  } finally {
    running -= 1;
    if (running === 0) current.unref();
  }
}
