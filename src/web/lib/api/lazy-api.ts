import type { PageApi } from "#contract/site/page-api.ts";

type Call = (...args: unknown[]) => Promise<unknown>;

/** Returns an API that runs each of its calls through `run`, which decides how it is sent. */
export function wrapApi(
  run: (send: (api: PageApi) => Promise<unknown>) => Promise<unknown>,
): PageApi {
  const get = (_: PageApi, name: keyof PageApi): Call => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its callers know their arguments
    return (...args) => run((api) => (api[name] as Call)(...args));
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all members are calls
  return new Proxy({} as PageApi, { get: (api, name) => get(api, name as keyof PageApi) });
}

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
