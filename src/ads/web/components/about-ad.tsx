import { InfoIcon } from "lucide-react";
import { inLanguage } from "#web/lib/language/page-language.ts";

const messages = inLanguage("ads");

interface AboutAdProps {
  adId: string;
  /** Called when the visitor hides the ad. */
  onStop: () => void;
}

/** Button beside an ad that explains why it is shown, and lets the visitor hide it. */
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
