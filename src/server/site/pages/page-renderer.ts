import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { PageApi } from "../../../contract/page-api.ts";

export interface RenderedPage {
  status: number;
  /** The document as UTF-8, empty for a redirect. */
  html: Buffer;
  /** Where a redirect leads. */
  location?: string;
}

export interface PageRenderer {
  /** `url` is absolute, on the canonical origin. Failures of a page are pages with status 500. */
  render(input: { url: string; api: PageApi; siteUrl: string }): Promise<RenderedPage>;
  /** Sources for `script-src` besides 'self': `'sha256-...'` of each inline script. */
  scriptSources: readonly string[];
  /** Whether the pages need a lax policy (hot reload puts scripts of its own into them). */
  isLive: boolean;
  /** In development: answers the scripts' requests, or calls `next`. */
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
