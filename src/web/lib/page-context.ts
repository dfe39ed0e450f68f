import { createContext } from "react-router";
import type { PageApi } from "../../contract/page-api.ts";

/** Where loaders get their data: services on the server, fetch in the browser. */
export const pageApiContext = createContext<PageApi>();

/** Canonical origin where the settings hold none. */
export const siteUrlContext = createContext<string>();
