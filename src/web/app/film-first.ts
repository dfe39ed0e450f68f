/** While this is set on the root, the page is its film and nothing else; see film-first.css. */
const mark = "document.documentElement.dataset.film";

/** Ends it; runs with the first frame. */
export const endFilmFirst = `delete ${mark}`;

/** Nobody waits longer than this for the rest of the page, whatever the film does. */
const mostMs = 250;
/** A page that took longer to arrive came over a line on which its film takes longer still. */
const nearMs = 200;

/**
 * On a near line a film could be there sooner than the page around it can be laid out and painted:
 * that work then waits for the first frame. Runs before the page is read, and therefore asks the
 * clock alone: anything else (the timings of the navigation, storage) costs a new process 10 ms. Its
 * hash stands in the Content Security Policy.
 */
export const filmFirstScript = `if(performance.now()<${nearMs}){${mark}="first";setTimeout(function(){${endFilmFirst}},${mostMs})}`;
