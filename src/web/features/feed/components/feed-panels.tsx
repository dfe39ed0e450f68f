import { ChevronDownIcon, ChevronUpIcon } from "lucide-react";
import { feedMessages as messages } from "../messages.ts";
import "./feed-panels.css";

interface MoveButtonsProps {
  canGoBack: boolean;
  canGoForward: boolean;
  onMove: (direction: 1 | -1) => void;
}

export function MoveButtons({ canGoBack, canGoForward, onMove }: MoveButtonsProps) {
  return (
    <div className="feed-moves">
      <button
        type="button"
        aria-label={messages.previous}
        disabled={!canGoBack}
        onClick={() => onMove(-1)}
      >
        <ChevronUpIcon className="size-6" />
      </button>
      <button
        type="button"
        aria-label={messages.next}
        disabled={!canGoForward}
        onClick={() => onMove(1)}
      >
        <ChevronDownIcon className="size-6" />
      </button>
    </div>
  );
}
