/**
 * On the root until the film has its first frame; see film-first.css. `alone`: the page is its film
 * and nothing else. `first`: only the pictures beside it wait.
 */
const mark = "document.documentElement.dataset.film";

/** Ends it; runs with the first frame. */
export const endFilmFirst = `delete ${mark}`;

/** A page that took longer to arrive came over a line on which its film takes longer still. */
const nearMs = 150;
/** Nobody waits longer than this for the rest of the page, whatever the film does. */
const mostAloneMs = 250;
/** Nor for its pictures. */
const mostFirstMs = 1500;

/**
 * On a near line a film could be there sooner than the page around it can be laid out and painted:
 * that work then waits for the first frame. On a far one the film waits for bytes, and pictures that
 * would share the line with it wait instead. Runs before the page is read, and therefore asks the
 * clock alone: anything else (the timings of the navigation, storage) costs a new process 10 ms. Its
 * hash stands in the Content Security Policy.
 */
export const filmFirstScript =
  `(function(n){${mark}=n?"alone":"first";` +
  `setTimeout(function(){${endFilmFirst}},n?${mostAloneMs}:${mostFirstMs})})(performance.now()<${nearMs})`;
