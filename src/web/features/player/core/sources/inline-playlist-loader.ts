import type {
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderContext,
  LoaderStats,
  PlaylistLoaderConstructor,
  PlaylistLoaderContext,
} from "hls.js";
import type { InlinePlaylists } from "#contract/site/page-api.ts";

type PlaylistLoader = Loader<PlaylistLoaderContext>;

/** Adds the playlist context to responses of the network loader, which only has a plain context. */
function withContext(
  callbacks: LoaderCallbacks<PlaylistLoaderContext>,
  context: PlaylistLoaderContext,
): LoaderCallbacks<LoaderContext> {
  return {
    onSuccess: (response, stats, _, details) =>
      callbacks.onSuccess(response, stats, context, details),
    onError: (error, _, details, stats) => callbacks.onError(error, context, details, stats),
    onTimeout: (stats, _, details) => callbacks.onTimeout(stats, context, details),
    onAbort: (stats, _, details) => callbacks.onAbort?.(stats, context, details),
  };
}

/**
 * Returns a playlist loader for hls.js that reads from the page's data and only requests missing
 * playlists. This saves three round trips before the first segment.
 */
export function inlinePlaylistLoader(
  playlists: InlinePlaylists,
  fallback: HlsConfig["loader"],
): PlaylistLoaderConstructor {
  return class InlinePlaylistLoader implements PlaylistLoader {
    context: PlaylistLoaderContext | null = null;
    private readonly network: Loader<LoaderContext>;
    private isAborted = false;

    constructor(config: HlsConfig) {
      this.network = new fallback(config);
    }

    get stats(): LoaderStats {
      return this.network.stats;
    }

    load(
      context: PlaylistLoaderContext,
      configuration: LoaderConfiguration,
      callbacks: LoaderCallbacks<PlaylistLoaderContext>,
    ): void {
      this.context = context;
      const path = URL.parse(context.url, document.baseURI)?.pathname ?? "";
      const text = Object.hasOwn(playlists.files, path) ? playlists.files[path] : undefined;
      if (text === undefined)
        return this.network.load(context, configuration, withContext(callbacks, context));
      const { stats } = this;
      stats.loading.start = stats.loading.first = stats.loading.end = performance.now();
      stats.loaded = stats.total = text.length;
      // hls.js expects the callback after `load` has returned.
      queueMicrotask(() => {
        if (this.isAborted) return;
        callbacks.onSuccess({ url: context.url, data: text, code: 200 }, stats, context, null);
      });
    }

    abort(): void {
      this.isAborted = true;
      this.network.abort();
    }

    destroy(): void {
      this.isAborted = true;
      this.network.destroy();
    }

    getCacheAge(): number | null {
      return this.network.getCacheAge?.() ?? null;
    }

    getResponseHeader(name: string): string | null {
      return this.network.getResponseHeader?.(name) ?? null;
    }
  };
}
