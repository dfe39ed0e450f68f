import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../../../lib/api/http.ts";

/** Retries once after a lost connection; a refused request fails at once. */
export function createAdminQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => !(error instanceof ApiError && error.status < 500) && count < 1,
        retryDelay: 500,
        // Fail at once instead of waiting for the browser's "online" event.
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}
