import { createContext } from "react-router";
import type { PageApi, ServerPageApi } from "#contract/site/page-api.ts";

/** Data source of loaders: services on the server, fetch in the browser. */
export const pageApiContext = createContext<PageApi>();

/** Null in the browser. */
export const serverApiContext = createContext<ServerPageApi | null>(null);

/** Canonical origin if the settings have none. */
export const siteUrlContext = createContext<string>();
