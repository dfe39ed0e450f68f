import { ChevronDownIcon, ChevronUpIcon } from "lucide-react";
import { feedMessages as messages } from "../messages.ts";
import "./feed-panels.css";

interface MoveButtonsProps {
  canGoBack: boolean;
  canGoOn: boolean;
  onMove: (direction: 1 | -1) => void;
}

export function MoveButtons({ canGoBack, canGoOn, onMove }: MoveButtonsProps) {
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
        disabled={!canGoOn}
        onClick={() => onMove(1)}
      >
        <ChevronDownIcon className="size-6" />
      </button>
    </div>
  );
}
