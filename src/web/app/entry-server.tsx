import { renderToString } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  StaticRouterProvider,
  type StaticHandlerContext,
} from "react-router";
import type { PageRenderOptions, PageResult } from "../../contract/page-render.ts";
import { pageApiContext, siteUrlContext } from "../lib/page-context.ts";
import { modulesOfRoutes } from "../lib/page-route.ts";
import { documentHtml } from "./document.ts";
import { filmFirstScript, placeFilmScript } from "./first-frame/film-first.ts";
import { frontModules, frontView } from "./front-page.tsx";
import { headOfPage } from "./page-head.ts";
import { routes } from "./routes.tsx";
import { serialiseHydration } from "./serialise-hydration.ts";
import { behindFilmScript } from "./first-frame/scripts-behind-film.ts";
import { themeBootScript } from "./first-frame/theme-boot.ts";

export const inlineScripts: readonly string[] = [
  filmFirstScript,
  placeFilmScript,
  themeBootScript,
  behindFilmScript,
];

const handler = createStaticHandler(routes);

/** Draws one page for a visitor that nobody knows. Unknown addresses and failures are pages too. */
export async function render(request: Request, options: PageRenderOptions): Promise<PageResult> {
  const requestContext = new RouterContextProvider();
  requestContext.set(pageApiContext, options.api);
  requestContext.set(siteUrlContext, options.siteUrl);
  const context = await handler.query(request, { requestContext });
  if (context instanceof Response) {
    return {
      status: context.status,
      html: "",
      location: context.headers.get("location") ?? undefined,
    };
  }
  const body = draw(context);
  const url = new URL(request.url);
  const modules = modulesOfRoutes(context.matches.map((match) => match.route.id));
  if (url.pathname === "/") modules.push(frontModules[frontView(url.search)]);
  return {
    status: context.statusCode,
    html: documentHtml({
      head: await headOfPage(context, url),
      body,
      data: serialiseHydration(context, options.siteUrl),
      site: context.loaderData,
      assets: options.assets,
      modules,
    }),
  };
}

function draw(context: StaticHandlerContext): string {
  const drawOnce = () =>
    renderToString(
      <StaticRouterProvider
        router={createStaticRouter(handler.dataRoutes, context)}
        context={context}
        hydrate={false}
      />,
    );
  try {
    return drawOnce();
  } catch (error) {
    // A page that cannot be drawn is a failure page, not a broken connection.
    console.error("A page could not be drawn", error);
    context.statusCode = 500;
    context.errors = { [boundaryOf(context)]: error };
    return drawOnce();
  }
}

function boundaryOf(context: StaticHandlerContext): string {
  const boundary = context.matches.find((match) => match.route.ErrorBoundary !== undefined);
  return boundary?.route.id ?? "root";
}
