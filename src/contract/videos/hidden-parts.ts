const start = "An edit list hides ";

/** Returns the notice of a video whose original contains parts that nobody sees. */
export const hiddenPartsNotice = (length: string): string =>
  `${start}${length} of the file. Only the original still contains the hidden parts.`;

export const isHiddenPartsNotice = (notice: string): boolean => notice.startsWith(start);
