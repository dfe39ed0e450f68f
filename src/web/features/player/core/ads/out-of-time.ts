/** Abort reason for when the content has waited long enough for an ad. */
export const outOfTime = (): DOMException =>
  new DOMException("the content goes on without the ad", "TimeoutError");

/** Returns whether the wait took too long. False if the visitor left or nothing was aborted. */
export const hasTimedOut = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof DOMException && reason.name === "TimeoutError";
