import "./handoff.ts";

/** Stands where the first video belongs, and puts it there. */
if (window.firstVideo !== undefined) document.currentScript?.replaceWith(window.firstVideo);
// The page alone decides how long the element lives.
window.firstVideo = undefined;
