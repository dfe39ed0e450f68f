import { transcript, type Transcript } from "#contract/videos/transcript.ts";
import { hasPass } from "#web/features/members/has-pass.ts";
import { call, queryString } from "#web/lib/api/http.ts";
import { createStore, type ReadableStore } from "#web/lib/store.ts";

/** @param query `from` is the number of a paragraph. */
export function fetchTranscript(
  slug: string,
  query: { track?: string; language?: string; from?: number },
): Promise<Transcript> {
  const fetchFrom = (videos: string) =>
    call(`${videos}/${encodeURIComponent(slug)}/transcript${queryString(query)}`, transcript);
  if (!hasPass()) return fetchFrom("/api/videos");
  // The pass may have ended. Then everyone's answer is still there.
  return fetchFrom("/api/members/videos").catch(() => fetchFrom("/api/videos"));
}

/** Loads the parts of a transcript one after the other. */
export function createTranscriptStore(slug: string, first: Transcript) {
  const { get, replace, subscribe } = createStore(first);
  let pending: Promise<void> | null = null;

  async function fetchPart(before: Transcript, from: number): Promise<void> {
    const part = await fetchTranscript(slug, { track: before.track, from }).finally(() => {
      // Before the change below, because it may make a component load the next part.
      pending = null;
    });
    // Otherwise, the visitor has chosen another track meanwhile.
    if (get() !== before) return;
    replace({ ...part, paragraphs: [...before.paragraphs, ...part.paragraphs] });
  }

  /** Loads the next part if there is one. @throws if that fails. */
  async function loadMore(): Promise<void> {
    const before = get();
    if (before.next === null) return;
    pending ??= fetchPart(before, before.next);
    await pending;
  }

  return {
    store: { get, subscribe } satisfies ReadableStore<Transcript>,
    loadMore,
    async loadAll(): Promise<void> {
      while (get().next !== null) await loadMore();
    },
    async selectTrack(track: string): Promise<void> {
      replace(await fetchTranscript(slug, { track }));
    },
  };
}
