import type { FastifyReply, FastifyRequest } from "fastify";
import type { Language } from "#contract/site/languages.ts";
import { languageOfAddress, splitLanguage } from "#contract/site/translated-pages.ts";
import type { OwnTexts } from "#contract/site/text-places.ts";
import type { PageApi, ServerPageApi } from "#contract/site/page-api.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { App } from "#server/http/app.ts";
import type { PageRenderer } from "./pages/page-renderer.ts";
import { contentSecurityPolicy } from "#server/http/access/security-headers.ts";
import { sendError } from "#server/http/errors.ts";
import { isPageAddress } from "#server/http/page-path.ts";
import { viewerOf, type Viewer } from "#server/http/access/viewer.ts";

interface Deps {
  renderer: PageRenderer;
  /** The data of pages, for a visitor or for an admin, who also sees drafts. */
  pageApi: (viewer: Viewer) => PageApi;
  serverApi: ServerPageApi;
  siteUrl: () => Promise<string>;
  siteLanguage: () => Promise<Language>;
  ownTexts: (language: Language) => Promise<OwnTexts | null>;
  /** Origins that trusted ads use for scripts and frames. */
  adOrigins: () => Promise<readonly string[]>;
  /** Whether no page is at this address, whatever the database holds. */
  isUnknown: (url: string) => boolean;
}

/** Pages are the same for every visitor and are rendered at most once a second. */
const pageTtlMs = 1000;
/** After a page whose data could not be read. */
const retryAfterS = 2;
/** Pages without content of their own, which search engines must not index. */
const privatePages = /^\/(admin|partner|auth|setup|favorites|library|private)(\/|$)/;

/** The back office. */
const inEnglish = /^\/(admin|auth|setup)(\/|$)/;

/** Renders the page at the requested address and sends it. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export function createPageSender(deps: Deps): SendPage {
  const { renderer, pageApi, serverApi, siteUrl, siteLanguage, ownTexts, adOrigins, isUnknown } =
    deps;

  return async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const path = request.url.split("?")[0] ?? "/";
    const origin = await siteUrl();
    const language = await siteLanguage();
    const asked = splitLanguage(request.originalUrl).language;
    // One address for each page.
    if (asked === language) return reply.redirect(request.url, 301);
    const code = inEnglish.test(path) ? "en" : (languageOfAddress(request.originalUrl) ?? language);
    const page = await renderer.render({
      url: new URL(request.originalUrl, origin).href,
      language: { code, siteLanguage: language, own: await ownTexts(code) },
      api: pageApi(viewerOf(request)),
      serverApi,
      siteUrl: origin,
    });
    if (page.location !== undefined) return reply.redirect(page.location, page.status);
    const isFramable = path.startsWith("/embed/");
    void reply.headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy({
        scriptSources: renderer.scriptSources,
        adOrigins: await adOrigins(),
        isFramable,
      }),
      // Isolates admin pages from the window that opened them. Public pages go without: the browser
      // would start a new process for each first visit (45 of 160 ms to a video's first frame).
      ...(privatePages.test(path)
        ? { "x-robots-tag": "noindex", "cross-origin-opener-policy": "same-origin" }
        : {}),
    });
    if (page.status === 503) void reply.header("retry-after", String(retryAfterS));
    // An expiry ends at once, and no cache on the way keeps what only some may see.
    const isSecret = path.startsWith("/private/");
    const isOneForAll = page.status === 200 || (page.status === 404 && isUnknown(request.url));
    if (isOneForAll && !isSecret && !renderer.isLive) reply.cacheForMs = pageTtlMs;
    // Those that are the same for every visitor get theirs where they are cached.
    const isShared = request.user === null && !isSecret;
    void reply.header("cache-control", isShared ? "no-cache" : "private, no-store");
    return reply.status(page.status).send(page.html);
  };
}

/** Every path without a route of its own is a page; a server without pages responds with 404. */
export function registerNotFound(app: App, sendPage: SendPage | null): void {
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === "GET" || request.method === "HEAD";
    const path = request.url.split("?")[0] ?? "";
    if (
      sendPage === null ||
      !isPage ||
      /^\/(api|media|assets)(\/|$)/.test(path) ||
      !isPageAddress(request.url)
    ) {
      sendError(request, reply, new AppError("not_found", "There is nothing at this address."));
      return reply;
    }
    return sendPage(request, reply);
  });
}
