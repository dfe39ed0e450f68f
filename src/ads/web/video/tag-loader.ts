import { fetchedDocuments, type FetchedDocument } from "../../contract/ads.ts";
import { decodeDocument } from "../../contract/decode-document.ts";
import { chainLimits, maxDocumentBytes } from "../../contract/vast-address.ts";
import { hasTimedOut } from "#web/features/player/core/ads/ad-provider.ts";
import { call, queryString } from "#web/lib/api/http.ts";
import { expandMacros } from "../../contract/vast-macros.ts";
import { consentForAds, macroEnvironment } from "./macro-environment.ts";
import type { LoadResult, LoadVast } from "../vast/resolve-vast.ts";

/** Milliseconds for each document of a wrapper, within the time of the chain. */
const wrapperMs = 4000;

/** Remaining limits of one chain, for requests by the browser and by our server. */
export interface ChainBudget {
  documents: number;
  bytes: number;
  /** Aborts when the time of the chain is up. */
  deadline: AbortSignal;
}

export function startChain(limits: { timeMs: number } = chainLimits): ChainBudget {
  const { documents, bytes } = chainLimits;
  return { documents, bytes, deadline: AbortSignal.timeout(limits.timeMs) };
}

/**
 * Fetches documents from their servers, without cookies. `resolveVast` ends at the last document.
 */
export function loadDirectly(budget: ChainBudget, signal?: AbortSignal): LoadVast {
  return async (url, depth) => {
    if (budget.documents <= 0) return { ok: false, reason: "too_large" };
    budget.documents -= 1;
    const ends = [budget.deadline];
    if (depth > 0) ends.push(AbortSignal.timeout(wrapperMs));
    const address = expandMacros(url, { pageUrl: window.location.href }, macroEnvironment);
    try {
      const response = await fetch(address, {
        signal: AbortSignal.any(signal === undefined ? ends : [...ends, signal]),
        credentials: "omit",
      });
      if (!response.ok) {
        await response.body?.cancel();
        return { ok: false, reason: "status", status: response.status };
      }
      return await readLimited(response, budget);
    } catch {
      const isLate =
        ends.some(({ aborted }) => aborted) || (signal !== undefined && hasTimedOut(signal));
      return { ok: false, reason: isLate ? "timeout" : "unreachable" };
    }
  };
}

async function readLimited(response: Response, budget: ChainBudget): Promise<LoadResult> {
  const reader = response.body?.getReader();
  if (reader === undefined) return { ok: true, text: "" };
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    sizeBytes += value.length;
    budget.bytes -= value.length;
    if (sizeBytes > maxDocumentBytes || budget.bytes < 0) {
      await reader.cancel();
      return { ok: false, reason: "too_large" };
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { ok: true, text: decodeDocument(bytes, response.headers.get("content-type")) };
}

/** Reads documents fetched by our server, which sends the whole chain in one response. */
export function loadFrom(documents: readonly FetchedDocument[]): LoadVast {
  const byUrl = new Map(documents.map((document) => [document.url, document]));
  return (url) => {
    const document = byUrl.get(url);
    if (document === undefined) return Promise.resolve({ ok: false, reason: "unreachable" });
    const { problem, status } = document;
    if (problem === null) return Promise.resolve({ ok: true, text: document.text ?? "" });
    if (problem === "status") {
      return Promise.resolve({ ok: false, reason: "status", status: status ?? 0 });
    }
    const reason = problem === "refused" ? "unreachable" : problem;
    return Promise.resolve({ ok: false, reason });
  };
}

/** Fetches an ad's documents through our server, if the browser may not. */
export async function fetchByServer(
  adId: string,
  { documents, bytes, deadline }: ChainBudget,
  signal: AbortSignal,
  /** Index of the requested break, for VMAP. */
  breakIndex?: number,
): Promise<readonly FetchedDocument[]> {
  const path = `/api/spots/${encodeURIComponent(adId)}/documents`;
  const list = await call(
    path + queryString({ documents, bytes, consent: consentForAds(), break: breakIndex }),
    fetchedDocuments,
    {
      signal: AbortSignal.any([deadline, signal]),
    },
  );
  return list.documents;
}
