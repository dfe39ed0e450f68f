import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Language } from "#contract/site/languages.ts";
import type { PageRenderOptions } from "#contract/site/page-render.ts";

interface RenderedPage {
  status: number;
  /** The document as UTF-8, empty for a redirect. */
  html: Buffer;
  /** The target of a redirect. */
  location?: string;
}

interface PageInput extends Omit<PageRenderOptions, "assets"> {
  /** Absolute, on the canonical origin. */
  url: string;
}

export interface PageRenderer {
  /** A page that fails is a page too, with status 500. */
  render(input: PageInput): Promise<RenderedPage>;
  /** Texts that an operator can replace, by id. */
  standardTexts(language: Language): Promise<Readonly<Record<string, string>>>;
  /** Sources for `script-src` besides 'self': `'sha256-...'` of each inline script. */
  scriptSources: readonly string[];
  /** Hot reload adds scripts of its own, so the pages need a lax policy and no cache. */
  isLive: boolean;
  /** In development: serves the scripts, or calls `next`. */
  middleware?: (
    request: IncomingMessage,
    response: ServerResponse,
    next: (error?: unknown) => void,
  ) => void;
  close(): Promise<void>;
}

/** `'sha256-...'` as a Content Security Policy names an inline script. */
export function scriptSource(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}
