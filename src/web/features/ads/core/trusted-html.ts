/**
 * Puts HTML of an ad that the operator trusts into the page and runs its scripts: they are made
 * anew, since scripts that arrive as HTML do not run, one after another in their order.
 *
 * The site's policy forbids inline scripts, so those come from an address of the site, by their
 * place in the ad (`/spots/script/{id}/{n}`); other sources must stand in the policy, where the
 * server puts the origins that trusted ads name.
 *
 * @returns resolves when all have run or failed. After `signal` aborts no further script starts.
 */
export async function mountTrustedHtml(
  container: HTMLElement,
  html: string,
  adId: string,
  signal: AbortSignal,
): Promise<void> {
  const template = document.createElement("template");
  template.innerHTML = html;
  const scripts = [...template.content.querySelectorAll("script")].filter(isJavaScript);
  container.replaceChildren(template.content);
  for (const [at, inert] of scripts.entries()) {
    if (signal.aborted) return;
    await run(inert, inert.src === "" ? `/spots/script/${adId}/${at}` : inert.src);
  }
}

function isJavaScript(script: HTMLScriptElement): boolean {
  return /^(|module|(text|application)\/(x-)?(java|ecma)script)$/i.test(script.type.trim());
}

function run(inert: HTMLScriptElement, src: string): Promise<void> {
  return new Promise((done) => {
    const script = document.createElement("script");
    for (const { name, value } of inert.attributes) {
      if (name !== "src" && name !== "nonce") script.setAttribute(name, value);
    }
    script.async = false;
    script.addEventListener("load", () => {
      flush();
      done();
    });
    script.addEventListener("error", () => {
      console.warn("a script of an ad did not load", src);
      done();
    });
    catchWrites(script);
    script.src = src;
    inert.replaceWith(script);
  });
}

let lastScript: HTMLScriptElement | null = null;
let written = "";
let isCatching = false;

/**
 * `document.write` after the page has loaded would wipe the whole application. What ads write is
 * gathered instead, from now on, and put behind the script that wrote it.
 */
function catchWrites(script: HTMLScriptElement): void {
  lastScript = script;
  if (isCatching) return;
  isCatching = true;
  const write = (...texts: unknown[]) => {
    const running = document.currentScript;
    if (running instanceof HTMLScriptElement) lastScript = running;
    else if (written === "") setTimeout(flush);
    written += texts.map(String).join("");
  };
  const replace = (name: "write" | "writeln" | "open" | "close", value: unknown) =>
    Object.defineProperty(document, name, { value, configurable: true, writable: true });
  replace("write", write);
  replace("writeln", (...texts: unknown[]) => write(...texts, "\n"));
  replace("open", () => document);
  replace("close", () => {});
}

/** Written HTML comes whole, so that a tag put together from several writes is one. */
function flush(): void {
  const html = written;
  written = "";
  if (html === "" || lastScript === null) return;
  const template = document.createElement("template");
  template.innerHTML = html;
  const scripts = [...template.content.querySelectorAll("script")].filter(isJavaScript);
  lastScript.after(template.content);
  for (const inert of scripts) {
    // Only what has an address can run: the policy knows no inline script that nobody stored.
    if (inert.src === "") console.warn("an inline script that an ad wrote was not run");
    else void run(inert, inert.src);
  }
}
