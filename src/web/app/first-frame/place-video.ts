import "./handoff.ts";

/** Inline script that replaces itself with the first video. */
if (window.firstVideo !== undefined) document.currentScript?.replaceWith(window.firstVideo);
// From here on, only the page refers to the element.
window.firstVideo = undefined;
