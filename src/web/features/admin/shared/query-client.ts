import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../../../lib/http.ts";

/** What the server refused stays refused; a lost connection is worth a second try. */
export function createAdminQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => !(error instanceof ApiError && error.status < 500) && count < 1,
        retryDelay: 500,
        // What fails should say so at once instead of waiting for the browser's "online" event.
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}
