import { UNSAFE_ErrorResponseImpl as ErrorResponse } from "react-router";
import type { HydrationState } from "react-router";

export const hydrationElementId = "page-data";

export type WireError = { status: number; statusText: string; data: unknown } | { status: null };

export interface WireState {
  loaderData: HydrationState["loaderData"];
  errors: Record<string, WireError> | null;
  siteUrl: string;
}

/** Reads the data that entry-server.tsx wrote into this page. */
export function readHydration(): { hydrationData: HydrationState; siteUrl: string } | null {
  const text = document.getElementById(hydrationElementId)?.textContent;
  if (!text) return null;
  const wire = JSON.parse(text) as WireState;
  const errors =
    wire.errors === null
      ? null
      : Object.fromEntries(
          Object.entries(wire.errors).map(([id, error]) => [
            id,
            error.status === null
              ? new Error("The page failed on the server")
              : new ErrorResponse(error.status, error.statusText, error.data),
          ]),
        );
  return { hydrationData: { loaderData: wire.loaderData, errors }, siteUrl: wire.siteUrl };
}
