import { pageLanguage } from "./page-language.ts";

interface Translatable {
  translations?: Partial<Record<string, object>> | undefined;
}

/** Returns a video with its title and description in the language of the page, if it has them. */
export function translated<T extends object>(value: T): T {
  const texts = (value as Translatable).translations?.[pageLanguage().code];
  return texts === undefined ? value : { ...value, ...texts };
}
