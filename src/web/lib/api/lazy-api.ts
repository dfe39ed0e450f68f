import type { PageApi } from "#contract/site/page-api.ts";
import { wrapApi } from "./wrap-api.ts";

let loading: Promise<PageApi> | undefined;

/** Loads the client with the first call, because the first page already contains its data. */
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

/** Fetches the data of pages over HTTP. */
export const browserApi = wrapApi(async (send) => send(await loadClient()));
