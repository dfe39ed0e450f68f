import { fetchedDocuments, type FetchedDocument } from "../../../../contract/ads.ts";
import { maxDocumentBytes } from "../../../../contract/vast-address.ts";
import { call } from "../../../lib/api/http.ts";
import { expandMacros } from "../../../../contract/vast-macros.ts";
import type { LoadResult, LoadVast } from "../vast/resolve-vast.ts";

/** Time-outs for the root document and for each document of a wrapper. */
const rootMs = 8000;
const wrapperMs = 4000;

const environment = { random: Math.random, date: () => new Date() };

/** Fetches documents from their servers, without cookies. */
export function loadDirectly(signal: AbortSignal): LoadVast {
  return async (url, depth) => {
    const time = AbortSignal.timeout(depth === 0 ? rootMs : wrapperMs);
    const address = expandMacros(url, { pageUrl: window.location.href }, environment);
    try {
      const response = await fetch(address, {
        signal: AbortSignal.any([signal, time]),
        credentials: "omit",
      });
      if (!response.ok) return { ok: false, reason: "status", status: response.status };
      return await readLimited(response);
    } catch {
      return { ok: false, reason: time.aborted ? "timeout" : "unreachable" };
    }
  };
}

async function readLimited(response: Response): Promise<LoadResult> {
  const reader = response.body?.getReader();
  if (reader === undefined) return { ok: true, text: "" };
  const decoder = new TextDecoder();
  let sizeBytes = 0;
  let result = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { ok: true, text: result + decoder.decode() };
    sizeBytes += value.length;
    if (sizeBytes > maxDocumentBytes) {
      await reader.cancel();
      return { ok: false, reason: "too_large" };
    }
    result += decoder.decode(value, { stream: true });
  }
}

/** Reads documents that our server fetched: it sends the whole chain in one response. */
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

/** The documents of an ad as our server fetches them, for those that the browser may not fetch. */
export async function fetchByServer(
  adId: string,
  signal: AbortSignal,
): Promise<readonly FetchedDocument[]> {
  const path = `/api/spots/${encodeURIComponent(adId)}/documents`;
  return (await call(path, fetchedDocuments, { signal })).documents;
}
