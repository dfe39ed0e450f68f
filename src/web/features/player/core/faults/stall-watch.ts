interface StallWatchOptions {
  /** Returns whether the visitor is waiting, because the video should be playing but isn't. */
  isWaiting(): boolean;
  /** Called if nothing arrived for `timeoutMs` while the visitor waited. */
  onStall(): void;
  timeoutMs?: number;
}

export interface StallWatch {
  /** Restarts the clock, because bytes arrived or the position moved. */
  touch(): void;
  stop(): void;
}

/**
 * Detects problems that no browser reports as an error: a server that keeps a connection open
 * without sending anything, and a decoder that has stopped. Calls `onStall` after `timeoutMs`
 * without progress while the visitor waits.
 */
export function createStallWatch(options: StallWatchOptions): StallWatch {
  const { isWaiting, onStall, timeoutMs = 6000 } = options;
  let quietMs = 0;
  const stepMs = 1000;
  const timer = setInterval(() => {
    quietMs = isWaiting() ? quietMs + stepMs : 0;
    if (quietMs < timeoutMs) return;
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
