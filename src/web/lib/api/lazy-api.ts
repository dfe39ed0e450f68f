import type { PageApi } from "#contract/site/page-api.ts";
import { wrapApi } from "./wrap-api.ts";

let loading: Promise<PageApi> | undefined;

/** The first page contains its data, so the client loads with the first call. */
function loadClient(): Promise<PageApi> {
  loading ??= import("./api-client.ts").then(
    (module) => module.apiClient,
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/** Data of pages over HTTP. */
export const browserApi = wrapApi(async (send) => send(await loadClient()));
