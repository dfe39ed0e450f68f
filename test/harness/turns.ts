/**
 * Waits for several turns of the event loop, which is enough for work without files, network or
 * timers.
 */
export async function waitTurns(count = 20): Promise<void> {
  for (let n = 0; n < count; n += 1) await new Promise((resolve) => setTimeout(resolve));
}
