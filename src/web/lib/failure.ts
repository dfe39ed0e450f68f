import { data } from "react-router";

/** HTTP status of a failed call, on either side of the wire; null where there was no answer. */
export function statusOf(error: unknown): number | null {
  if (typeof error !== "object" || error === null || !("status" in error)) return null;
  return typeof error.status === "number" ? error.status : null;
}

/** A failure as the router's error boundaries and the server's status line understand it. */
export function routeFailure(error: unknown): ReturnType<typeof data<null>> {
  const status = statusOf(error);
  return data(null, { status: status ?? 503 });
}
