import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { say } from "./say.mjs";

const parentCheckMs = 2000;
const patienceMs = 15_000;
/** The server checks the value itself. */
const drainMs = () => (Number(process.env.DRAIN_SECONDS) || 0) * 1000;
const ending = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Runs one of our programs as a child until it ends, and exits the same way. Passes signals on. A
 * channel to the child closes when this process dies, even by kill -9. If the npm that started this
 * process is killed, ends the child.
 * @param stopSignal an AbortSignal with which the caller ends the child.
 * @returns its exit code.
 */
export function runServer(file, args, { stopSignal, ...options }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      stdio: ["inherit", "inherit", "inherit", "ipc"],
      ...options,
    });
    const end = (signal) => {
      child.kill(signal);
      // A child that doesn't end in time is killed, so that the caller never waits forever.
      setTimeout(() => child.kill("SIGKILL"), patienceMs + drainMs()).unref();
    };
    // Passes on only one signal. A terminal also sends Ctrl-C to the child, and npm sends it to us
    // again.
    let isEnding = false;
    const onSignal = (signal) => {
      if (isEnding) return;
      isEnding = true;
      end(signal);
    };
    for (const signal of ending) process.on(signal, onSignal);
    stopSignal?.addEventListener("abort", () => onSignal("SIGTERM"), { once: true });
    const stopWatching = watchStarter(() => onSignal("SIGTERM"));

    const finish = () => {
      stopWatching();
      for (const signal of ending) process.off(signal, onSignal);
    };
    child.on("error", (error) => {
      finish();
      reject(error);
    });
    child.on("exit", (code, signal) => {
      finish();
      if (signal !== null && !isEnding) say(`The program was ended from outside (${signal}).`);
      resolve(code ?? 128 + constants.signals[signal]);
    });
  });
}

/** Calls back once when the npm that runs us has died. Without npm, there is nothing to watch. */
function watchStarter(onLost) {
  if (process.env.npm_lifecycle_event === undefined) return () => undefined;
  const parent = process.ppid;
  // npm runs scripts through a shell. Some shells stay in between and outlive npm.
  const grandparent = isShell(parent) ? parentOf(parent) : null;
  const timer = setInterval(() => {
    const isLost =
      process.ppid !== parent || (grandparent !== null && parentOf(parent) !== grandparent);
    if (!isLost) return;
    clearInterval(timer);
    onLost();
  }, parentCheckMs).unref();
  return () => clearInterval(timer);
}

function isShell(pid) {
  try {
    return /^(sh|dash|bash|ash|busybox|zsh)$/.test(
      readFileSync(`/proc/${pid}/comm`, "utf8").trim(),
    );
  } catch {
    return false;
  }
}

function parentOf(pid) {
  try {
    // The name in brackets may contain anything. The parent is the second field after it.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ");
    return Number(fields?.[1]);
  } catch {
    return null;
  }
}
