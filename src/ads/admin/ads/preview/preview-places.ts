import { shownTypes } from "#ads/contract/ad-placements.ts";
import { adPlacements, type AdPlacement } from "#ads/contract/ads.ts";

export interface PreviewSize {
  widthPx: number;
  heightPx: number;
}

/** Screens for previewing an ad. */
export const previewSizes = {
  phone: { widthPx: 390, heightPx: 844 },
  tablet: { widthPx: 820, heightPx: 1180 },
  desktop: { widthPx: 1440, heightPx: 900 },
} as const satisfies Record<string, PreviewSize>;
export type PreviewDevice = keyof typeof previewSizes;
export const previewDevices = ["phone", "tablet", "desktop"] as const satisfies PreviewDevice[];

export const isAdBreakPlacement = (placement: AdPlacement): boolean => placement.endsWith("roll");

/**
 * Returns whether the placement shows ads of this type. Each placement only requests some types.
 */
export function isShownIn(type: string, placement: AdPlacement): boolean {
  return type === "" || shownTypes[placement].some((shown) => shown === type);
}

/** Returns the placements that allow this type of ad. */
export const placementsOf = (type: string): AdPlacement[] =>
  adPlacements.filter((placement) => isShownIn(type, placement));
