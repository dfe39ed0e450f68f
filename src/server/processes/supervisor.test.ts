import { afterEach, expect, test, vi } from "vitest";
import { createLogger } from "../lib/logger.ts";
import { createSupervisor, maxDeaths, type Child, type Exit } from "./supervisor.ts";

const logger = createLogger("silent");
const killed: Exit = { reason: "SIGKILL", isClean: false };
const settle = () => new Promise(setImmediate);

interface FakeChild extends Child {
  becomeReady(): void;
  end(exit: Exit): void;
}

/** Creates a supervisor with simulated processes and a simulated clock. */
function start() {
  const children: FakeChild[] = [];
  const pauses: number[] = [];
  const giveUp = vi.fn<(line: string) => void>();
  let nowMs = 0;
  const supervisor = createSupervisor({
    logger,
    giveUp,
    now: () => nowMs,
    async pause(ms) {
      pauses.push(ms);
    },
    launch() {
      const ready = Promise.withResolvers<void>();
      const exited = Promise.withResolvers<Exit>();
      const child: FakeChild = {
        pid: children.length + 1,
        ready: ready.promise,
        exited: exited.promise,
        stop: vi.fn(() => exited.resolve({ reason: "exit code 0", isClean: true })),
        kill: vi.fn(() => exited.resolve(killed)),
        becomeReady: ready.resolve,
        end: exited.resolve,
      };
      children.push(child);
      return child;
    },
  });
  /** Lets the newest process run for a while and then end. */
  async function endNewest(exit: Exit, afterMs = 0): Promise<void> {
    children.at(-1)?.becomeReady();
    await settle();
    nowMs += afterMs;
    children.at(-1)?.end(exit);
    await settle();
  }
  return { supervisor, children, pauses, giveUp, endNewest };
}

afterEach(() => vi.useRealTimers());

test("replaces a dead process at once", async () => {
  const { supervisor, children, pauses, endNewest } = start();
  supervisor.start("web");
  await endNewest(killed);
  expect(children).toHaveLength(2);
  expect(pauses).toEqual([]);
});

test("replaces a process that dies during its start after a growing pause", async () => {
  const { supervisor, children, pauses, endNewest } = start();
  supervisor.start("web");
  for (let n = 0; n < 4; n += 1) {
    children.at(-1)?.end({ reason: "exit code 1", isClean: false });
    await settle();
  }
  expect(pauses).toEqual([250, 500, 1000, 2000]);
  await endNewest(killed);
  children.at(-1)?.end(killed);
  await settle();
  expect(pauses).toEqual([250, 500, 1000, 2000, 250]);
});

test("gives up with one line after many deaths within a minute", async () => {
  const { supervisor, children, giveUp, endNewest } = start();
  supervisor.start("web");
  for (let n = 0; n < maxDeaths; n += 1) await endNewest(killed, 1000);
  expect(giveUp).toHaveBeenCalledExactlyOnceWith(
    "Kinora stops: 10 of its processes died within a minute, the last one (web, process 10) with SIGKILL. See the log for details.",
  );
  expect(children).toHaveLength(maxDeaths);
});

test("continues after the same number of deaths over a longer time, or after requested stops", async () => {
  const { supervisor, children, giveUp, endNewest } = start();
  supervisor.start("web");
  for (let n = 0; n < maxDeaths; n += 1) await endNewest(killed, 7000);
  for (let n = 0; n < maxDeaths; n += 1) {
    await endNewest({ reason: "exit code 0", isClean: true });
  }
  expect(giveUp).not.toHaveBeenCalled();
  expect(children).toHaveLength(2 * maxDeaths + 1);
});

test("reports why the first process failed to start, and doesn't replace it", async () => {
  const { supervisor, children } = start();
  const first = supervisor.startFirst("web");
  const exit = { reason: "exit code 1", isClean: false };
  children[0]?.end(exit);
  expect(await first).toEqual(exit);
  expect(children).toHaveLength(1);
});

test("ends all processes on a stop and replaces none", async () => {
  const { supervisor, children } = start();
  const first = supervisor.startFirst("web");
  children[0]?.becomeReady();
  expect(await first).toBe(null);
  supervisor.start("jobs");
  await supervisor.stop();
  await settle();
  for (const child of children) expect(child.stop).toHaveBeenCalledOnce();
  expect(children).toHaveLength(2);
});

test("kills a process that doesn't stop", async () => {
  vi.useFakeTimers();
  const { supervisor, children } = start();
  supervisor.start("web");
  const child = children[0];
  vi.mocked(child?.stop ?? vi.fn()).mockImplementation(() => undefined);
  const stopped = supervisor.stop();
  await vi.advanceTimersByTimeAsync(5000);
  await stopped;
  expect(child?.kill).toHaveBeenCalledOnce();
});
