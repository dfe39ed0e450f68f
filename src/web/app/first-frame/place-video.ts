import "./handoff.ts";

/** Inline script at the position of the first video, which it moves there. */
if (window.firstVideo !== undefined) document.currentScript?.replaceWith(window.firstVideo);
// From here on, only the page refers to the element.
window.firstVideo = undefined;
