interface StallWatchOptions {
  /** The visitor waits: playing is wanted and the picture stands. */
  isWaiting(): boolean;
  /** Nothing arrived for `patienceMs` while somebody waited. */
  onStall(): void;
  patienceMs?: number;
}

export interface StallWatch {
  /** Bytes arrived or the picture moved: the clock starts anew. */
  touch(): void;
  stop(): void;
}

/**
 * A server that holds a connection open and sends nothing raises no error in any browser. Only a
 * clock finds it: no progress for this long while somebody waits.
 */
export function createStallWatch(options: StallWatchOptions): StallWatch {
  const { isWaiting, onStall, patienceMs = 6000 } = options;
  let quietMs = 0;
  const stepMs = 1000;
  const timer = setInterval(() => {
    quietMs = isWaiting() ? quietMs + stepMs : 0;
    if (quietMs < patienceMs) return;
    quietMs = 0;
    onStall();
  }, stepMs);
  return {
    touch() {
      quietMs = 0;
    },
    stop: () => clearInterval(timer),
  };
}
