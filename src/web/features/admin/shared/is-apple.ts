/** Returns whether the device has the keys of Apple, such as Option and Command. */
export const isApple = (): boolean =>
  typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);
