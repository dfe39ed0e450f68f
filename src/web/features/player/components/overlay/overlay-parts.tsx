import { TriangleAlertIcon, WifiOffIcon } from "lucide-react";
import { inLanguage } from "#web/lib/language/page-language.ts";
import type { PlayerFault } from "../../core/player-state.ts";
import "./player-overlay.css";
// Styles of the captions. Their component is loaded when they are shown.
import "../caption-overlay.css";

const faultTexts = inLanguage("faults");
const messages = inLanguage("player");

export function LoadingOverlay({
  posterUrl,
  hasFrame,
}: {
  posterUrl: string | null;
  hasFrame: boolean;
}) {
  return (
    <div className="player-overlay player-loading" data-frame={hasFrame || undefined}>
      {posterUrl === null ? null : <img src={posterUrl} alt="" className="player-loading-image" />}
      <span role="status" className="player-spinner">
        <span className="sr-only">{messages.loading}</span>
      </span>
    </div>
  );
}

export function FaultOverlay({ fault, onRetry }: { fault: PlayerFault; onRetry: () => void }) {
  const { title, hint } = faultTexts[fault.kind];
  return (
    <div className="player-overlay player-fault" role="alert">
      {fault.kind === "offline" ? (
        <WifiOffIcon className="player-icon" />
      ) : (
        <TriangleAlertIcon className="player-icon" />
      )}
      <p className="player-fault-title">{title}</p>
      <p>{fault.kind === "unsupported" || fault.isRetrying ? hint : ""}</p>
      <button type="button" className="player-pill" onClick={onRetry}>
        {messages.retry}
      </button>
    </div>
  );
}
