import { escapeHtml } from "#contract/escape-html.ts";
import { prefixOf, withPrefix, type Language } from "#contract/site/languages.ts";
import { directionOf } from "#contract/site/translated-pages.ts";
import { frameAncestors, type FramedBy } from "#server/http/access/security-headers.ts";
import { visitorTexts } from "#server/lib/visitor-texts.ts";

/** Restricted To Adults: the label that parental filters look for, see rtalabel.org. */
export const rtaLabel = "RTA-5042-1996-1400-1577-RTA";

/** Allows no scripts and nothing from other origins. Browsers request the favicon by themselves. */
export const simplePagePolicy = (framedBy: FramedBy): string =>
  [
    "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'",
    ...frameAncestors(framedBy),
  ].join("; ");

/** Data of a page that is shown instead of the requested one. */
export interface SimplePage {
  siteName: string;
  language: Language;
  /** Language of pages that have none in their address. */
  siteLanguage: Language;
  /** True if the operator wrote terms. Without them, their page doesn't exist. */
  hasTerms: boolean;
}

/** Renders a page without scripts from a title and an HTML body. */
export function simplePage(
  { siteName, language, siteLanguage, hasTerms }: SimplePage,
  title: string,
  body: string,
) {
  const { links } = visitorTexts(language);
  const link = (path: string, name: string) =>
    `<a href="${withPrefix(prefixOf(language, siteLanguage), path)}">${escapeHtml(name)}</a>`;
  return `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="rating" content="${rtaLabel}"><meta name="robots" content="noindex">
<meta name="color-scheme" content="dark light"><title>${escapeHtml(title)} - ${escapeHtml(siteName)}</title>
<style>
:root{color-scheme:dark light;--page:#0d0e12;--text:#f3f1ec;--quiet:#b4b2ad;--line:#5b5e68;--fill:#f3b04a;--on-fill:#241703}
@media(prefers-color-scheme:light){:root{--page:#fbf9f5;--text:#1d1c1a;--quiet:#5c5a55;--line:#8b8983}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--page);color:var(--text);font:1rem/1.6 Inter,system-ui,sans-serif}
main{max-width:30rem;overflow-wrap:anywhere}
h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.25}
p{margin:0 0 1.5rem;color:var(--quiet)}
form{display:flex;flex-wrap:wrap;gap:.75rem}
button,a{min-height:2.75rem;border-radius:.5rem;padding:.5rem 1.25rem;font:inherit;font-weight:600}
button{border:1px solid var(--line);background:none;color:var(--text);cursor:pointer}
button[value=yes]{border-color:var(--fill);background:var(--fill);color:var(--on-fill)}
nav{margin-top:1rem}
nav a{display:inline-block;padding:.5rem 0;margin-inline-end:1rem;color:var(--quiet);font-weight:400}
</style></head><body><main><h1>${escapeHtml(title)}</h1>
${body}
<nav aria-label="${escapeHtml(links.about)}">${hasTerms ? link("/terms", links.terms) : ""}${link("/privacy", links.privacy)}${link("/takedown", links.takedown)}</nav>
</main></body></html>`;
}

/** Renders the age question. Its form redirects to `next`. */
export function agePage(page: SimplePage, next: string): string {
  const { age } = visitorTexts(page.language);
  return simplePage(
    page,
    age.title,
    `<p>${escapeHtml(age.text(page.siteName))}</p>
<form method="post" action="/api/age"><input type="hidden" name="next" value="${escapeHtml(next)}">
<button name="adult" value="yes">${escapeHtml(age.yes)}</button>
<button name="adult" value="no">${escapeHtml(age.no)}</button></form>`,
  );
}

export function tooYoungPage(page: SimplePage): string {
  const { age } = visitorTexts(page.language);
  return simplePage(
    page,
    age.tooYoungTitle,
    `<p>${escapeHtml(age.tooYoungText(page.siteName))}</p>`,
  );
}

/** Renders the notice for blocked countries. `subject` is what the country may not see. */
export function blockedCountryPage(page: SimplePage, subject: "site" | "video"): string {
  const { blocked } = visitorTexts(page.language);
  return simplePage(page, blocked.title, `<p>${escapeHtml(blocked[subject])}</p>`);
}
