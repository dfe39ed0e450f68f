import { AsyncLocalStorage } from "node:async_hooks";
import { followLanguage, type PageLanguage } from "#web/lib/language/page-language.ts";

const language = new AsyncLocalStorage<PageLanguage>();
followLanguage(() => language.getStore());

/** Renders a page in its language. */
export const renderIn = <T>(page: PageLanguage, render: () => T): T => language.run(page, render);
