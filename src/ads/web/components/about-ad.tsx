import { InfoIcon } from "lucide-react";
import { adMessages as messages } from "../messages.ts";

interface AboutAdProps {
  adId: string;
  /** The visitor does not want to see it any more. */
  onStop: () => void;
}

/** A button beside an ad that tells why it is there, and lets the visitor stop it. */
export function AboutAd({ adId, onStop }: AboutAdProps) {
  const open = async () => {
    const { openAboutAd } = await import("../core/about-ad-dialog.ts");
    if (await openAboutAd(adId)) onStop();
  };
  return (
    <button
      type="button"
      className="spot-about"
      aria-label={messages.about}
      aria-haspopup="dialog"
      onClick={() => void open()}
    >
      <InfoIcon className="size-4" />
    </button>
  );
}
