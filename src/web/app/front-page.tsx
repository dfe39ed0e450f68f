import { data, useLoaderData, type LoaderFunctionArgs } from "react-router";
import { PageDataContext } from "../lib/page-data.ts";
import { pageHandle, type PageModule } from "../lib/page-route.ts";

/**
 * `/` is the feed, and the home listing as soon as a search, category or sort is in the address.
 * Both views load on demand, so the loader fetches the module before the page is drawn.
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

/** Must be done before the page is drawn for the first time; later on the loader does it. */
export async function loadFrontView(view: View): Promise<PageModule> {
  const module: PageModule =
    view === "home"
      ? await import("../features/home/home-page.tsx")
      : await import("../features/feed/feed-page.tsx");
  views[view] = module;
  return module;
}

/** What a loader answers where it has a status to tell as well. */
function isDataWithStatus(answer: unknown): answer is { data: unknown; init: ResponseInit | null } {
  return (
    typeof answer === "object" &&
    answer !== null &&
    "type" in answer &&
    answer.type === "DataWithResponseInit"
  );
}

export async function loader(args: LoaderFunctionArgs) {
  const view = frontView(new URL(args.request.url).search);
  const module = await loadFrontView(view);
  const answer: unknown = (await module.loader?.(args)) ?? null;
  return isDataWithStatus(answer)
    ? data<FrontData>({ view, data: answer.data }, answer.init ?? undefined)
    : { view, data: answer };
}

export const handle = pageHandle<FrontData>({
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
