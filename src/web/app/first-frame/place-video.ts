import "./handoff.ts";

/** Placed at the position of the first video, and moves the video there. */
if (window.firstVideo !== undefined) document.currentScript?.replaceWith(window.firstVideo);
// The page alone decides how long the element lives.
window.firstVideo = undefined;
