import type { FastifyReply, FastifyRequest } from "fastify";
import type { PageApi, ServerPageApi } from "../../contract/page-api.ts";
import { AppError } from "../lib/app-error.ts";
import type { App } from "../http/app.ts";
import type { PageRenderer } from "./pages/page-renderer.ts";
import { contentSecurityPolicy } from "../http/security-headers.ts";
import { sendError } from "../http/errors.ts";
import { viewerOf, type Viewer } from "../http/viewer.ts";

interface Deps {
  renderer: PageRenderer;
  /** The data of pages, for a visitor or for an admin, who also sees drafts. */
  pageApi: (viewer: Viewer) => PageApi;
  serverApi: ServerPageApi;
  siteUrl: () => Promise<string>;
  /** Script sources that trusted advertisements need. */
  extraScriptSources: () => Promise<readonly string[]>;
}

/** Pages are the same for everybody and are made anew at most once a second. */
const pageTtlMs = 1000;
/** Pages that only hold the frame of the application: nothing to find for search engines. */
const privatePages = /^\/(admin|auth|setup|favorites)(\/|$)/;

/** Answers a request with a page. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export function createPageSender(deps: Deps): SendPage {
  const { renderer, pageApi, serverApi, siteUrl, extraScriptSources } = deps;

  return async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const path = request.url.split("?")[0] ?? "/";
    const origin = await siteUrl();
    const page = await renderer.render({
      url: new URL(request.url, origin).href,
      api: pageApi(viewerOf(request)),
      serverApi,
      siteUrl: origin,
    });
    if (page.location !== undefined) return reply.redirect(page.location, page.status);
    const isFramable = path.startsWith("/embed/");
    void reply.headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy({
        scriptSources: [...renderer.scriptSources, ...(await extraScriptSources())],
        isFramable,
      }),
      // A window that opened an admin's page has no hold on it. Pages for everybody do without: the
      // browser would begin a new process for each first visit (45 of 160 ms to a film's first frame).
      ...(privatePages.test(path)
        ? { "x-robots-tag": "noindex", "cross-origin-opener-policy": "same-origin" }
        : {}),
    });
    if (page.status === 200 && !renderer.isLive) reply.cacheForMs = pageTtlMs;
    void reply.header("cache-control", request.user === null ? "no-cache" : "private, no-store");
    return reply.status(page.status).send(page.html);
  };
}

/** Every address that nothing else answers is a page; without pages there is nothing. */
export function registerNotFound(app: App, sendPage: SendPage | null): void {
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === "GET" || request.method === "HEAD";
    const path = request.url.split("?")[0] ?? "";
    if (
      sendPage === null ||
      !isPage ||
      /^\/(api|media|assets)(\/|$)/.test(path) ||
      !isDecodable(request.url)
    ) {
      sendError(request, reply, new AppError("not_found", "There is nothing at this address."));
      return reply;
    }
    return sendPage(request, reply);
  });
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split("?")[0] ?? "");
    return URL.canParse(url, "http://localhost") && !url.startsWith("//");
  } catch {
    return false;
  }
}
