import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { PageModule, PageRenderOptions } from "#contract/site/page-render.ts";

interface RenderedPage {
  status: number;
  /** Document as UTF-8, empty for a redirect. */
  html: Buffer;
  /** Target of a redirect. */
  location?: string;
}

interface PageInput extends Omit<PageRenderOptions, "assets"> {
  /** Absolute address on the canonical origin. */
  url: string;
}

export interface PageRenderer {
  /** Renders a page. If that fails, renders an error page with status 500. */
  render(input: PageInput): Promise<RenderedPage>;
  /** Sources for `script-src` besides 'self': `'sha256-...'` of each inline script. */
  scriptSources: readonly string[];
  /** Pages, and the query parameters that tell their cached copies apart. */
  pageQueries: PageModule["pageQueries"];
  /** True in development. Hot reload adds scripts, so pages need a lax policy and no cache. */
  isLive: boolean;
  /** Serves scripts in development, or calls `next`. */
  middleware?: (
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ) => void;
  close(): Promise<void>;
}

/** Returns `'sha256-...'` of an inline script for a Content Security Policy. */
export function scriptSource(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}
