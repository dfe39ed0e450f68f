import { useSyncExternalStore } from "react";
import { buttonClass } from "#web/components/ui/button.tsx";
import type { FeedState } from "../core/feed-store.ts";
import "./feed-states.css";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const messages = inLanguage("feed");

function subscribeToConnection(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

const useOffline = () =>
  useSyncExternalStore(
    subscribeToConnection,
    () => !navigator.onLine,
    () => false,
  );

/**
 * Fills the frame while there is no item, because the feed is loading, has failed or has no videos.
 */
export function FeedPlaceholder(props: {
  isEmpty: boolean;
  loading: FeedState["loading"];
  onRetry: () => void;
}) {
  if (props.loading === "failed") return <FeedFailed onRetry={props.onRetry} />;
  return props.isEmpty ? <FeedEmpty /> : <FeedLoading />;
}

function FeedEmpty() {
  return (
    <div className="feed-state">
      <h2>{messages.empty}</h2>
      <p>{messages.emptyHint}</p>
      <a href={pagePath("/home")} className={buttonClass({ kind: "quiet" })}>
        {messages.browse}
      </a>
    </div>
  );
}

function FeedFailed({ onRetry }: { onRetry: () => void }) {
  const isOffline = useOffline();
  return (
    <div className="feed-state" role="alert">
      <h2>{messages.failed}</h2>
      <p>{isOffline ? messages.offline : messages.failedHint}</p>
      <button type="button" className={buttonClass({ kind: "primary" })} onClick={onRetry}>
        {messages.retry}
      </button>
    </div>
  );
}

/** Shown at the end of the loaded clips, while the last clip keeps playing. */
export function FeedFailedBar({ onRetry }: { onRetry: () => void }) {
  const isOffline = useOffline();
  return (
    <div className="feed-state-bar" role="alert">
      {isOffline ? messages.offlineShort : messages.failed}
      <button
        type="button"
        className={buttonClass({ kind: "primary", size: "small" })}
        onClick={onRetry}
      >
        {messages.retry}
      </button>
    </div>
  );
}

function FeedLoading() {
  return (
    <div className="feed-state">
      <span className="player-spinner" aria-hidden="true" />
      <p role="status">{messages.loadingMore}</p>
    </div>
  );
}
