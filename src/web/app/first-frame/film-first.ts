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
 * The film itself is asked for by the first script of the page, before the styles and all that stands
 * around it have come; `placeFilmScript` puts it where it belongs. Nothing starts by itself under
 * reduced motion: then it gets no address.
 *
 * On a near line a film could be there sooner than the page around it can be laid out and painted:
 * that work then waits for the first frame, and so does the poster: to decode it takes longer than
 * to get to the frame. On a far one the film waits for bytes, and pictures that would share the line
 * with it wait instead. What tells them apart is the clock: to ask for the timings
 * of the navigation, or anything of storage, costs a new process 10 ms. The hash of the script stands
 * in the Content Security Policy.
 */
export const filmFirstScript =
  'var film=document.createElement("video");' +
  "(function(m,f){" +
  'var r=matchMedia("(prefers-reduced-motion: reduce)").matches,' +
  `n=!r&&performance.now()<${nearMs},t=n?${mostAloneMs}:${mostFirstMs},p="";` +
  'for(var a of m.attributes)if(a.name=="data-poster"&&n)p=a.value;' +
  'else if(a.name.startsWith("data-"))f.setAttribute(a.name.slice(5),a.value);' +
  "f.muted=true;if(!r)f.src=m.content;" +
  `${mark}=n?"alone":"first";` +
  `setTimeout(function(){${endFilmFirst};if(p)f.poster=p},t)` +
  "})(document.currentScript.previousSibling,film)";

/** Stands where the film belongs. Nothing holds the element any longer than the page does. */
export const placeFilmScript = "document.currentScript.replaceWith(film);film=null";

export interface FilmPage {
  /** Comes first in the head: the film's element as attributes, and the script that makes it. */
  head: string;
  /** The page with a place for the film. */
  body: string;
}

/** The attributes of a tag, with their values as they are written, as attributes of data. */
function asData(attributes: string): string {
  const all = attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g);
  return [...all].map(([, name = "", value = ""]) => ` data-${name}="${value}"`).join("");
}

/** Null where the page does not open with a film. */
export function filmPageOf(body: string): FilmPage | null {
  const found = /<video([^>]* autoplay[^>]*)><source src="([^"]*)"[^>]*><\/video>/.exec(body);
  if (found === null) return null;
  const [element, attributes = "", src = ""] = found;
  return {
    head: `<meta name="film" content="${src}"${asData(attributes)}><script>${filmFirstScript}</script>`,
    body: body.replace(
      element,
      () => `<script>${placeFilmScript}</script><noscript>${element}</noscript>`,
    ),
  };
}
