import { data, useLoaderData, type LoaderFunctionArgs } from "react-router";
import { pageHandle, PageDataContext, type PageModule } from "#web/lib/page/page-route.ts";

/**
 * `/` shows the feed, or the home page if the URL has a search, category or sort. Both are loaded
 * on demand, so the loader fetches the module before the page is rendered.
 */
type View = "feed" | "home";

interface FrontData {
  view: View;
  data: unknown;
}

const views: Partial<Record<View, PageModule>> = {};

export const frontModules: Record<View, string> = {
  feed: "src/web/features/feed/feed-page.tsx",
  home: "src/web/features/home/home-page.tsx",
};

export function frontView(search: string): View {
  const params = new URLSearchParams(search);
  return ["search", "category", "sort"].some((name) => params.has(name)) ? "home" : "feed";
}

/** Must run before hydration. On later navigations, the loader calls it. */
export async function loadFrontView(view: View): Promise<PageModule> {
  const module: PageModule =
    view === "home"
      ? await import("#web/features/home/home-page.tsx")
      : await import("#web/features/feed/feed-page.tsx");
  views[view] = module;
  return module;
}

/**
 * Returns whether this is the result of React Router's `data()`, with which loaders set a status.
 */
function isDataWithStatus(result: unknown): result is { data: unknown; init: ResponseInit | null } {
  return (
    typeof result === "object" &&
    result !== null &&
    "type" in result &&
    result.type === "DataWithResponseInit"
  );
}

export async function loader(args: LoaderFunctionArgs) {
  const view = frontView(new URL(args.request.url).search);
  const module = await loadFrontView(view);
  const result: unknown = (await module.loader?.(args)) ?? null;
  return isDataWithStatus(result)
    ? data<FrontData>({ view, data: result.data }, result.init ?? undefined)
    : { view, data: result };
}

export const handle = pageHandle<FrontData>({
  query: ["search", "category", "sort", "cursor"],
  allowsTrustedAds: true,
  // The home page has filters here, so it has no rows to prepare.
  prepare: () => loadFrontView(frontView(window.location.search)),
  head: async ({ data: front, ...rest }) => {
    const head = await views[front.view]?.handle?.head?.({ ...rest, data: front.data });
    return head ?? { title: rest.site.name };
  },
  firstVideo: ({ data: front, site }) =>
    views[front.view]?.handle?.firstVideo?.({ data: front.data, site }) ?? null,
  layout: (url) => {
    const layout = views[frontView(url.search)]?.handle?.layout;
    return (typeof layout === "function" ? layout(url) : layout) ?? "standard";
  },
});

export function Component() {
  const front = useLoaderData<FrontData>();
  const { view } = front;
  const Page = views[view]?.Component;
  return (
    <PageDataContext value={{ data: front.data }}>
      {Page === undefined ? null : <Page key={view} />}
    </PageDataContext>
  );
}
