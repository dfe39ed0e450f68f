import { roundToEven } from "#contract/videos/picture-sizes.ts";

/** Rendition of the ladder. Sizes are even numbers. */
export interface Rung {
  /** Nominal short side, also used in names of files and playlists. */
  shortSide: number;
  width: number;
  height: number;
  maxrateKbps: number;
}

const standardSides = [1080, 720, 480, 360, 240] as const;
/** Maximum size of a lower rung relative to the one above. */
const worthwhile = 0.85;
/** Maximum aspect ratio, because very long pictures exceed decoder limits. */
const maxAspect = 3;
/** Minimum side that encoders and players support well. */
const smallestSide = 16;

/**
 * Returns the rungs of a source, highest first, based on its displayed size (after rotation and
 * pixel ratio): its own size up to 1080 on the short side, then the standard sizes below. There is
 * at least one, and none is larger than the source.
 */
export function planRungs(width: number, height: number, fps: number): Rung[] {
  const ownSide = Math.min(width, height);
  const top = Math.min(standardSides[0], ownSide);
  const sides = [top, ...standardSides.filter((side) => side <= top * worthwhile)];
  return sides.map((side) => toRung(width, height, side, fps));
}

const largeSides = [2160, 1440] as const;
/** Maximum side that many devices can decode. */
const maxLargeSide = 4096;

/**
 * Returns the rungs above those of `planRungs`, highest first, if the source is large enough. Each
 * is encoded separately, because it needs as much memory as all smaller ones together.
 */
export function planLargeRungs(width: number, height: number, fps: number): Rung[] {
  const ownSide = Math.min(width, height);
  const top = Math.min(largeSides[0], ownSide);
  const sides = [top, ...largeSides.filter((side) => side <= top * worthwhile)];
  return sides
    .map((side) => toRung(width, height, side, fps))
    .filter(
      (rung) =>
        rung.shortSide * worthwhile >= standardSides[0] &&
        Math.max(rung.width, rung.height) <= maxLargeSide,
    );
}

/** Returns the first rendition of a source that can't be copied. */
export function planQuickRung(width: number, height: number, fps: number): Rung {
  return toRung(width, height, Math.min(480, width, height), fps);
}

function toRung(width: number, height: number, side: number, fps: number): Rung {
  const size = fitShortSide(width, height, side);
  return {
    shortSide: Math.min(size.width, size.height),
    ...size,
    maxrateKbps: planMaxrate(size.width * size.height, fps),
  };
}

/**
 * Returns even sizes with the same proportions and a short side of `side`. Long strips get a
 * smaller one.
 */
function fitShortSide(
  width: number,
  height: number,
  side: number,
): { width: number; height: number } {
  const ratio = Math.min(
    side / Math.min(width, height),
    (side * maxAspect) / Math.max(width, height),
  );
  return {
    width: roundToEven(width * ratio, width, smallestSide),
    height: roundToEven(height * ratio, height, smallestSide),
  };
}

/**
 * Returns the maximum bit rate: 0.11 bit per pixel at 1080p30, more for small pictures because they
 * compress less well (exponent 0.75), and half as much again at 60 frames per second. 2160p30:
 * 15560, 1080p30: 5500, 720p30: 3000, 480p30: 1630, 360p30: 1060 kbit/s.
 */
function planMaxrate(pixels: number, fps: number): number {
  const base = 5500 * (pixels / (1920 * 1080)) ** 0.75;
  return Math.max(150, Math.round((base * (fps > 40 ? 1.5 : 1)) / 10) * 10);
}
