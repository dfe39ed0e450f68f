import { beforeEach, expect, onTestFinished, vi } from "vitest";

// Files that replace modules share this setup whether they use a document or not.
if (typeof document !== "undefined") await prepareDocument();

async function prepareDocument(): Promise<void> {
  const { cleanup, configure } = await import("@testing-library/react");
  // Only failing tests wait this long.
  configure({ asyncUtilTimeout: 15_000 });
  // React flushes effects in `act` only in an environment that declares it.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

  beforeEach(() => {
    // The files of one worker share the document and its storage.
    document.head.replaceChildren();
    document.body.replaceChildren();
    localStorage.clear();
    sessionStorage.clear();
    const { error, fetch } = { error: console.error, fetch: globalThis.fetch };
    const unexpected: unknown[] = [];
    console.error = (...args: unknown[]) => {
      unexpected.push(args);
      error(...args);
    };
    globalThis.fetch = (target) => {
      unexpected.push(`request of ${target instanceof Request ? target.url : String(target)}`);
      return Promise.reject(new TypeError("Tests send no requests"));
    };
    // Runs after what the test itself leaves for its end.
    onTestFinished(() => {
      cleanup();
      vi.restoreAllMocks();
      Object.assign(console, { error });
      Object.assign(globalThis, { fetch });
      expect(unexpected).toEqual([]);
    });
  });
}
