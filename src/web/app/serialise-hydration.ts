import { isRouteErrorResponse } from "react-router";
import { scriptJson } from "#web/lib/page/html-text.ts";
import type { WireError, WireState } from "./hydration.ts";

interface ServerState {
  loaderData: Record<string, unknown>;
  errors: Record<string, unknown> | null;
}

/**
 * Returns the router's state as text for a data script, so that hydration needs no further
 * requests.
 */
export function serialiseHydration(state: ServerState, siteUrl: string): string {
  const errors =
    state.errors === null
      ? null
      : Object.fromEntries(
          Object.entries(state.errors).map(([id, error]): [string, WireError] => [
            id,
            isRouteErrorResponse(error)
              ? { status: error.status, statusText: error.statusText, data: error.data }
              : // Internal errors are not sent to the browser.
                { status: null },
          ]),
        );
  const wire: WireState = { loaderData: state.loaderData, errors, siteUrl };
  return scriptJson(wire);
}
