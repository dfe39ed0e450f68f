import { watch } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.mjs";
import { runServer } from "./run-server.mjs";
import { say } from "./say.mjs";

const quietMs = 200;

const ending = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Like `runServer`, but restarts the program when the server's source changes. Pages are updated
 * without a restart. After a crash it waits for the next change, or for a signal.
 */
export async function runWatched(file, args, options) {
  const ended = deferred();
  let isEnding = false;
  const onSignal = () => {
    isEnding = true;
    ended.resolve();
  };
  for (const signal of ending) process.on(signal, onSignal);
  let changed = deferred();
  let timer;
  const onChange = (_event, name) => {
    if (name === null || !/\.(ts|tsx|json)$/.test(name) || /\.test\.tsx?$/.test(name)) return;
    clearTimeout(timer);
    timer = setTimeout(() => changed.resolve(), quietMs);
  };
  const watchers = ["src/server", "src/contract", "src/ads/server", "src/ads/contract"].map((dir) =>
    watch(join(root, dir), { recursive: true }, onChange),
  );
  try {
    for (;;) {
      const stop = new AbortController();
      const run = runServer(file, args, { ...options, stopSignal: stop.signal });
      const first = await Promise.race([run, changed.promise.then(() => "changed")]);
      if (first === "changed") {
        say("Changed, starting again…");
        stop.abort();
        const code = await run;
        if (isEnding) return code;
      } else if (first === 0 || isEnding) {
        return first;
      } else {
        say("The server ended; waiting for a change…");
        await Promise.race([changed.promise, ended.promise]);
        if (isEnding) return first;
      }
      changed = deferred();
    }
  } finally {
    for (const watcher of watchers) watcher.close();
    for (const signal of ending) process.off(signal, onSignal);
  }
}

/** `Promise.withResolvers`, which Node.js 20 doesn't have. */
function deferred() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
