import { renderToString } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  StaticRouterProvider,
  type StaticHandlerContext,
  isRouteErrorResponse,
} from "react-router";
import { languageCodes } from "#contract/site/languages.ts";
import { standardTheme } from "#contract/site/theme.ts";
import { isTranslated, languageOfAddress } from "#contract/site/translated-pages.ts";
import type { PageRenderOptions, PageResult } from "#contract/site/page-render.ts";
import { textsOf } from "#texts/languages.ts";
import { pageLanguage, pagePath } from "#web/lib/language/page-language.ts";
import {
  modulesOfRoutes,
  pageApiContext,
  serverApiContext,
  siteUrlContext,
} from "#web/lib/page/page-route.ts";
import { FirstVideoContext } from "#web/lib/page/first-video.ts";
import type { PageApi } from "#contract/site/page-api.ts";
import { wrapApi } from "#web/lib/api/page-api.ts";
import { translated } from "#web/lib/language/translated.ts";
import { scriptJson } from "#web/lib/page/head.ts";
import { renderIn } from "./server-language.ts";
import { documentHtml } from "./document.ts";
import { placeVideoHtml } from "./first-frame/markup.ts";
import { frontModules, frontView } from "./front-page.tsx";
import { firstVideoOfPage, headOfPage } from "./page-head.ts";
import { readPageQueries } from "./page-queries.ts";
import { addAdminRoutes, isAdminPath, routes } from "./routes.tsx";
import type { WireError, WireState } from "./hydration.ts";

export { inlineScripts } from "./first-frame/markup.ts";

// Routes are matched one by one, so the back office's routes are left out for public pages.
const publicHandlers = new Map(
  ["", ...languageCodes.map((code) => `/${code}`)].map((prefix) => [
    prefix,
    createStaticHandler(routes, { basename: prefix === "" ? "/" : prefix }),
  ]),
);
await addAdminRoutes("/admin");
const adminHandler = createStaticHandler(routes);

export const pageQueries = await readPageQueries(routes);

/**
 * Renders a page, which is the same for every visitor with this language. Unknown URLs and failures
 * are pages too.
 */
export function render(request: Request, options: PageRenderOptions): Promise<PageResult> {
  const { code } = options.language;
  const isPrefixed = languageOfAddress(new URL(request.url).pathname) === code;
  const language = {
    code,
    texts: code === "en" ? null : textsOf(code),
    own: options.language.own,
    prefix: isPrefixed ? `/${code}` : "",
  };
  return renderIn(language, () => renderPage(request, options));
}

async function renderPage(request: Request, options: PageRenderOptions): Promise<PageResult> {
  const requestContext = new RouterContextProvider();
  requestContext.set(pageApiContext, createTranslatedApi(options.api));
  requestContext.set(serverApiContext, options.serverApi);
  requestContext.set(siteUrlContext, options.siteUrl);
  const url = new URL(request.url);
  const handler = isAdminPath(url.pathname)
    ? adminHandler
    : publicHandlers.get(pageLanguage().prefix);
  if (handler === undefined) throw new Error(`There are no pages in ${pageLanguage().code}`);
  const context = await handler.query(request, { requestContext });
  if (context instanceof Response) {
    return {
      status: context.status,
      html: "",
      location: context.headers.get("location") ?? undefined,
    };
  }
  const body = renderBody(context, url);
  const modules = modulesOfRoutes(context.matches.map((match) => match.route.id));
  if (url.pathname === pagePath("/")) modules.push(frontModules[frontView(url.search)]);
  return {
    status: context.statusCode,
    html: documentHtml({
      language: options.language.code,
      followsVisitorLanguage: followsVisitorLanguage(url),
      head: await headOfPage(context, url),
      body,
      firstVideo: firstVideoOfPage(context, url),
      data: serialiseHydration(context, options.siteUrl),
      site: context.loaderData,
      // A page without its theme is better than none.
      theme: await options.serverApi.theme().catch(() => standardTheme),
      ownTexts: options.language.own,
      assets: options.assets,
      modules,
    }),
  };
}

/**
 * Returns whether the visitor may prefer another language. Embedded players always use the language
 * of their URL.
 */
const followsVisitorLanguage = ({ pathname }: URL) =>
  pageLanguage().prefix === "" && isTranslated(pathname) && !pathname.startsWith("/embed/");

function renderBody(context: StaticHandlerContext, url: URL): string {
  const renderOnce = () => {
    // Only passes the routes of this page, because the router copies them.
    const matched = context.matches.map(({ route }) => ({ ...route, children: undefined }));
    const router = createStaticRouter(matched, context);
    const firstVideo = firstVideoOfPage(context, url);
    const place = firstVideo === null ? null : { src: firstVideo.src, placeHtml: placeVideoHtml };
    return renderToString(
      <FirstVideoContext value={place}>
        <StaticRouterProvider router={router} context={context} hydrate={false} />
      </FirstVideoContext>,
    );
  };
  try {
    return renderOnce();
  } catch (error) {
    // A page that can't be rendered becomes a failure page instead of a broken connection.
    console.error("Couldn't render a page", error);
    context.statusCode = 500;
    context.errors = { [boundaryOf(context)]: error };
    return renderOnce();
  }
}

function boundaryOf(context: StaticHandlerContext): string {
  const boundary = context.matches.find((match) => match.route.ErrorBoundary !== undefined);
  return boundary?.route.id ?? "root";
}

/** Uses the texts in the language of the page and drops all others, which the page doesn't need. */
function inOneLanguage(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneLanguage);
  if (!(value instanceof Object)) return value;
  const entries = Object.entries(translated(value));
  return Object.fromEntries(
    entries.flatMap(([key, each]) =>
      key === "translations" ? [] : [[key, inOneLanguage(each)] as const],
    ),
  );
}

/** Returns an API whose titles and descriptions are in the language of the page. */
const createTranslatedApi = (api: PageApi): PageApi =>
  wrapApi(async (send) => inOneLanguage(await send(api)));

interface ServerState {
  loaderData: Record<string, unknown>;
  errors: Record<string, unknown> | null;
}

/**
 * Returns the router's state as text for a data script, so that hydration needs no further
 * requests.
 */
function serialiseHydration(state: ServerState, siteUrl: string): string {
  const errors =
    state.errors === null
      ? null
      : Object.fromEntries(
          Object.entries(state.errors).map(([id, error]): [string, WireError] => [
            id,
            isRouteErrorResponse(error)
              ? { status: error.status, statusText: error.statusText, data: error.data }
              : // Internal errors are not sent to the browser.
                { status: null },
          ]),
        );
  const wire: WireState = { loaderData: state.loaderData, errors, siteUrl };
  return scriptJson(wire);
}
