import type { PageApi } from "#contract/site/page-api.ts";

/** Returns an API that runs each of its calls through `run`, which decides how it is sent. */
export function wrapApi(
  run: (send: (api: PageApi) => Promise<unknown>) => Promise<unknown>,
): PageApi {
  const get = (_: object, name: keyof PageApi) => {
    return (...args: never[]) =>
      run((api) => {
        const send: (...given: never[]) => Promise<unknown> = api[name];
        return send(...args);
      });
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all members are calls
  return new Proxy({}, { get }) as PageApi;
}

/**
 * Fetches the data of pages over HTTP. Loads the client with the first call, because the first page
 * already contains its data.
 */
export const browserApi = wrapApi(async (send) =>
  send((await import("./api-client.ts")).apiClient),
);
