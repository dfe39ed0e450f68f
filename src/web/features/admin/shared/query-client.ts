import { MutationCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import { ApiError } from "#web/lib/api/http.ts";
import { failureWithReason } from "./failure-text.ts";
import { notify } from "./notices.tsx";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** Text that reports a failure, with its reason, until the action succeeds. */
      failure?: string;
      /** Reports the failure without its reason. */
      hidesFailureReason?: boolean;
      /** Text that reports the success. */
      success?: string;
      /** Queries to load again once the action has succeeded or failed. */
      refreshes?: QueryKey;
    };
  }
}

/** Retries once after a lost connection. Rejected requests fail immediately. */
export function createAdminQueryClient(): QueryClient {
  const client = new QueryClient({
    mutationCache: new MutationCache({
      onError(error, _variables, _context, { meta }) {
        if (meta?.failure === undefined) return;
        const { failure, hidesFailureReason = false } = meta;
        notify.failure(hidesFailureReason ? failure : failureWithReason(failure, error));
      },
      onSuccess(_data, _variables, _context, { meta }) {
        if (meta?.failure !== undefined) notify.settle(meta.failure);
        if (meta?.success !== undefined) notify.success(meta.success);
      },
      onSettled(_data, _error, _variables, _context, { meta }) {
        if (meta?.refreshes !== undefined) {
          void client.invalidateQueries({ queryKey: meta.refreshes });
        }
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => !(error instanceof ApiError && error.status < 500) && count < 1,
        retryDelay: 500,
        // Fails immediately instead of waiting for the browser's "online" event.
        networkMode: "always",
        // `networkMode: "always"` disables this by default.
        refetchOnReconnect: true,
      },
      mutations: { networkMode: "always" },
    },
  });
  return client;
}
