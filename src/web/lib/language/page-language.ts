/// <reference types="vite/types/importMeta.d.ts" />
import { withPrefix, type Language } from "#contract/site/languages.ts";
import type { OwnTexts } from "#contract/site/text-places.ts";
import type { Messages } from "#texts/messages.ts";
import { replaceTexts } from "./replace-texts.ts";

/** Language of a page. */
export interface PageLanguage {
  code: Language;
  /** Path prefix of pages in this language, such as `/de`, or empty. */
  prefix: string;
  /** Null for English. Its texts are part of the code that shows them. */
  texts: Messages | null;
  /** Texts written by the operator, only on the server. */
  own?: OwnTexts | null;
}

declare global {
  /** Texts of a page that isn't in English. Their script runs before all others. */
  var kinoraTexts: Messages | undefined;
  /** Adds the operator's texts to a group, on sites with custom texts. */
  var kinoraOwnTexts: ((group: string, texts: object) => object) | undefined;
}

function ofDocument(): PageLanguage {
  if (typeof document === "undefined") return { code: "en", prefix: "", texts: null };
  const code = (document.documentElement.lang || "en") as Language;
  const prefix = `/${code}`;
  return {
    code,
    prefix: `${location.pathname}/`.startsWith(`${prefix}/`) ? prefix : "",
    texts: globalThis.kinoraTexts ?? null,
  };
}

const own = ofDocument();
let read = () => own;

/** Reads the language from a function, because each page on the server has its own language. */
export function followLanguage(readLanguage: () => PageLanguage | undefined): void {
  read = () => readLanguage() ?? own;
}

export const pageLanguage = (): PageLanguage => read();

/** URLs without a language: other sites, files other than RSS, and the back office. */
const withoutLanguage = /^(?!\/)|^[^?#]*\.(?!rss$)\w+($|[?#])|^\/(api|media|admin|auth|setup)\b/;

export const hasLanguage = (path: string): boolean => !withoutLanguage.test(path);

/**
 * Returns the URL of a page in the language of the current page. @param path path without a
 * language.
 */
export function pagePath(path: string): string {
  const { prefix } = read();
  return hasLanguage(path) ? withPrefix(prefix, path) : path;
}

/** Returns the path without the language of the current page. Null if it has another language. */
export function plainPath(pathname: string): string | null {
  const { prefix } = read();
  if (prefix === "") return pathname;
  return `${pathname}/`.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) || "/" : null;
}

/** Returns texts that are looked up when they are used, for the server. */
function live(english: object, find: () => unknown): unknown {
  const parts = new Map(
    Object.entries(english).flatMap(([name, value]: [string, unknown]) => {
      if (typeof value !== "object" || value === null) return [];
      return [[name, live(value, () => Reflect.get(Object(find() ?? {}), name))]];
    }),
  );
  return new Proxy(english, {
    get: (target, name) =>
      parts.get(String(name)) ?? (Reflect.get(Object(find() ?? target), name) as unknown),
  });
}

/**
 * Returns the texts of one part of the site in the language of the page.
 * @param group group in `src/texts`.
 * @param english texts of the group. The build adds them (`setup/page-texts.ts`).
 */
export function inLanguage<const Group extends keyof Messages>(
  group: Group,
  english: object = {},
): Messages[Group] {
  // A browser only shows pages in one language, whose texts are loaded before this runs.
  if (!import.meta.env.SSR) {
    const texts = Object.assign({}, english, own.texts?.[group]);
    return (globalThis.kinoraOwnTexts?.(group, texts) ?? texts) as Messages[Group];
  }
  const replacements = new WeakMap<OwnTexts, object>();
  return live(english, () => {
    const { texts, own: ownTexts } = read();
    if (ownTexts == null) return texts?.[group];
    const replaced =
      replacements.get(ownTexts) ??
      replaceTexts(Object.assign({}, english, texts?.[group]), ownTexts, group);
    replacements.set(ownTexts, replaced);
    return replaced;
  }) as Messages[Group];
}
