import { isScriptType } from "../../contract/ad-frame.ts";
import { listScripts } from "../../contract/html-sources.ts";
import { queryString } from "#web/lib/api/http.ts";
import { remembersUser } from "#web/lib/session.ts";
import { currentAdPage } from "./page-ads.ts";

/**
 * Puts a trusted ad's HTML into the page and runs its scripts in order. Scripts inserted as HTML
 * don't run, so each one is recreated.
 *
 * The site's policy forbids inline scripts. The ad's inline scripts have a URL with their index in
 * `listScripts` (`/spots/script/{id}/{index}`). For other sources the server adds the origins to the
 * policy.
 *
 * Does nothing in a signed-in user's browser, because the scripts could act as the user. The server
 * doesn't send such ads to users. This check covers a user who has just signed in in another tab.
 *
 * @returns a promise that resolves when all scripts have run or failed. After `signal` aborts, no
 * script starts.
 */
export async function mountTrustedHtml(
  container: HTMLElement,
  html: string,
  adId: string,
  signal: AbortSignal,
): Promise<void> {
  if (remembersUser()) return;
  const { content, scripts } = parseHtml(html);
  container.replaceChildren(content);
  // The server also lists scripts that browsers ignore, such as those in a text area.
  const listed = listScripts(html);
  for (const inert of scripts) {
    if (signal.aborted || remembersUser()) return;
    const index = listed.findIndex(
      ({ src, code }) => src === null && withLf(code) === withLf(inert.text),
    );
    const own = `/spots/script/${adId}/${index}${queryString({ page: currentAdPage() })}`;
    await run(inert, inert.src === "" ? own : inert.src);
  }
}

/** Browsers replace CRLF when they parse HTML. */
const withLf = (text: string) => text.replaceAll(/\r\n?/g, "\n");

function parseHtml(html: string): { content: DocumentFragment; scripts: HTMLScriptElement[] } {
  const template = document.createElement("template");
  template.innerHTML = html;
  const { content } = template;
  const scripts = [...content.querySelectorAll("script")];
  return { content, scripts: scripts.filter(({ type }) => isScriptType(type)) };
}

function run(inert: HTMLScriptElement, src: string): Promise<void> {
  return new Promise((done) => {
    const script = document.createElement("script");
    for (const { name, value } of inert.attributes) {
      if (name !== "src" && name !== "nonce") script.setAttribute(name, value);
    }
    script.async = false;
    script.addEventListener("load", () => {
      flushWrites();
      done();
    });
    script.addEventListener("error", () => {
      console.warn("a script of an ad did not load", src);
      done();
    });
    redirectWrites(script);
    script.src = src;
    inert.replaceWith(script);
  });
}

let lastScript: HTMLScriptElement | null = null;
let written = "";
let isRedirecting = false;

/**
 * Collects text from `document.write`, which would replace the whole application on a loaded page.
 * From the first trusted ad on, the text is inserted after the script that wrote it.
 */
function redirectWrites(script: HTMLScriptElement): void {
  lastScript = script;
  if (isRedirecting) return;
  isRedirecting = true;
  const write = (...texts: unknown[]) => {
    const running = document.currentScript;
    if (running instanceof HTMLScriptElement) lastScript = running;
    else if (written === "") setTimeout(flushWrites);
    written += texts.map(String).join("");
  };
  const replace = (name: "write" | "writeln" | "open" | "close", value: unknown) =>
    Object.defineProperty(document, name, { value, configurable: true, writable: true });
  replace("write", write);
  replace("writeln", (...texts: unknown[]) => write(...texts, "\n"));
  replace("open", () => document);
  replace("close", () => {});
}

/** Inserts all written HTML at once, so that several writes can form one tag. */
function flushWrites(): void {
  const html = written;
  written = "";
  if (html === "" || lastScript === null) return;
  const { content, scripts } = parseHtml(html);
  lastScript.after(content);
  for (const inert of scripts) {
    // The policy only allows inline scripts that are part of the stored ad.
    if (inert.src === "") console.warn("an inline script that an ad wrote was not run");
    else void run(inert, inert.src);
  }
}
