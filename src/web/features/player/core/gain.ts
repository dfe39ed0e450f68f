/** Factors that reduce the volume of elements below the one that the visitor has set. */
const gains = new WeakMap<HTMLMediaElement, number>();

const gainOf = (media: HTMLMediaElement): number => gains.get(media) ?? 1;

/** Returns the volume that the visitor has set, from 0 to 1. */
export const volumeOf = (media: HTMLMediaElement): number =>
  Math.min(1, media.volume / gainOf(media));

export function setVolume(media: HTMLMediaElement, volume: number, gain = gainOf(media)): void {
  gains.set(media, gain);
  media.volume = volume * gain;
}
