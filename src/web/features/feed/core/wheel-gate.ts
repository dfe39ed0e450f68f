/**
 * Turns wheel events into moves of one item: one for a notch of a mouse, one for a flick of a
 * trackpad with its inertia, one for a new flick during that inertia. Other events are ignored.
 */
export interface WheelGate {
  /** 1, -1, or 0 for nothing. `deltaPx` is signed, `atMs` monotonic. */
  feed(deltaPx: number, atMs: number): 1 | -1 | 0;
}

const enoughPx = 30;
/** A pause of this length ends a gesture. */
const gapMs = 150;
/** The shortest time between two moves. */
const restMs = 300;
/** A notch of a mouse is at least this large. */
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
      // Inertia only slows down, so a notch or a larger step is a new gesture.
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
