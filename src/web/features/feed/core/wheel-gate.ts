/**
 * Turns wheel events into moves of one item: a notch of a mouse, a flick of a trackpad with all its
 * after-run, a new flick on top of a dying one. Never blocks: what is no new gesture is swallowed.
 */
export interface WheelGate {
  /** 1, -1, or 0 for nothing. `deltaPx` is signed, `atMs` monotonic. */
  feed(deltaPx: number, atMs: number): 1 | -1 | 0;
}

const enoughPx = 30;
/** Stillness that ends a gesture. */
const gapMs = 150;
/** Two moves are at least this far apart. */
const restMs = 300;
/** A mouse's notch arrives as one large step. */
const notchPx = 90;

export function createWheelGate(): WheelGate {
  let sum = 0;
  let lastAtMs = -Infinity;
  let lastSize = 0;
  let movedAtMs = -Infinity;
  let hasMoved = false;

  return {
    feed(deltaPx, atMs) {
      const size = Math.abs(deltaPx);
      const isNewGesture = atMs - lastAtMs > gapMs || Math.sign(deltaPx) !== Math.sign(sum);
      const isPush = size > lastSize * 1.5 + 8;
      lastAtMs = atMs;
      lastSize = size;
      if (isNewGesture) {
        sum = 0;
        hasMoved = false;
      }
      sum += deltaPx;
      const isRested = atMs - movedAtMs >= restMs;
      if (!isRested) return 0;
      // An after-run only ever slows down; a notch or a push is somebody's hand.
      if (hasMoved && !isPush && size < notchPx) return 0;
      if (Math.abs(sum) < enoughPx) return 0;
      hasMoved = true;
      movedAtMs = atMs;
      const direction = deltaPx > 0 ? 1 : -1;
      sum = direction;
      return direction;
    },
  };
}
