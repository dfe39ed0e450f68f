import { data } from "react-router";

/** Returns the HTTP status of a failed request. Null without a response. */
export function statusOf(error: unknown): number | null {
  if (typeof error !== "object" || error === null || !("status" in error)) return null;
  return typeof error.status === "number" ? error.status : null;
}

/** Returns a failure for the router's error boundaries and the status of the server's response. */
export function routeFailure(error: unknown): ReturnType<typeof data<null>> {
  const status = statusOf(error);
  return data(null, { status: status ?? 503 });
}
