import { MutationCache, QueryClient } from "@tanstack/react-query";
import { ApiError } from "#web/lib/api/http.ts";
import { failureText } from "./failure-text.ts";
import { notify } from "./notices.tsx";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** Reports a failure with this text and its reason until the action succeeds. */
      failure?: string;
      /** Reported without the reason. */
      hidesFailureReason?: boolean;
    };
  }
}

/** Retries once after a lost connection; a refused request fails at once. */
export function createAdminQueryClient(): QueryClient {
  return new QueryClient({
    mutationCache: new MutationCache({
      onError(error, _variables, _context, { meta }) {
        if (meta?.failure === undefined) return;
        const { failure, hidesFailureReason = false } = meta;
        notify.failure(hidesFailureReason ? failure : failureText(failure, error));
      },
      onSuccess(_data, _variables, _context, { meta }) {
        if (meta?.failure !== undefined) notify.settle(meta.failure);
      },
    }),
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
