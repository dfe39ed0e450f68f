import { endFilmFirst } from "./film-first.ts";
import { escapeHtml } from "../../lib/html-text.ts";
import { earlyPressKey, scriptsElementId as elementId } from "./early-press.ts";

/**
 * On a page that opens with a playing film the scripts come behind its first frame: they would take
 * the line (six connections over HTTP/1.1), the processor and a third of a second from it. They do
 * not wait where nothing plays by itself, for a film that fails or takes longer than this, or for
 * somebody who touches the page already, and a press on a button is kept until it can be obeyed. Its
 * hash stands in the Content Security Policy.
 */
export const behindFilmScript =
  `(function(){var d=document,p=d.getElementById("${elementId}"),v=d.querySelector("video[autoplay]"),` +
  'n=["pointerdown","keydown","wheel","touchstart","error"],g=0;' +
  "function add(t,a){var e=d.createElement(t);for(var k in a)e[k]=a[k];d.head.append(e)}" +
  "function go(){if(g)return;g=1;n.forEach(function(e){removeEventListener(e,go,!0)});" +
  'p.dataset.modules.split(" ").forEach(function(h){h&&add("link",{rel:"modulepreload",href:h})});' +
  'add("script",{type:"module",src:p.dataset.entry});' +
  `requestAnimationFrame(function(){${endFilmFirst}})}` +
  'if(!v||v.error||!v.requestVideoFrameCallback||matchMedia("(prefers-reduced-motion: reduce)").matches)return go();' +
  "n.forEach(function(e){addEventListener(e,go,{capture:!0,passive:!0})});" +
  `addEventListener("click",function(e){if(p.isConnected)p["${earlyPressKey}"]=e.target.closest("button")},!0);` +
  "v.requestVideoFrameCallback(go);setTimeout(go,1500)})()";

/** Stands behind the page's content in place of the scripts themselves. */
export function scriptsBehindFilm(entry: string, modules: readonly string[]): string {
  return (
    `<script type="text/plain" id="${elementId}" data-entry="${escapeHtml(entry)}"` +
    ` data-modules="${escapeHtml(modules.join(" "))}"></script><script>${behindFilmScript}</script>`
  );
}
