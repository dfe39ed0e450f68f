import { browseTexts } from "#web/features/browse/messages.ts";
import { errorMessages } from "#web/features/errors/messages.ts";
import { feedMessages } from "#web/features/feed/messages.ts";
import { homeMessages, sortLabels } from "#web/features/home/messages.ts";
import { libraryMessages } from "#web/features/visitor-library/messages.ts";
import { playerMessages } from "#web/features/player/messages.ts";
import { videoPageMessages } from "#web/features/video/messages.ts";
import { layoutMessages } from "#web/app/layouts/messages.ts";
import { texts as arabic } from "#web/app/languages/ar.ts";
import type { Catalogue } from "#web/app/languages/catalogue.ts";
import { saveMessages } from "#web/components/save/messages.ts";
import { shareMessages } from "#web/components/share/messages.ts";
import { videoMessages } from "#web/components/video/messages.ts";

const english = {
  browseParts: browseTexts,
  errors: errorMessages,
  feed: feedMessages,
  home: homeMessages,
  layout: layoutMessages,
  library: libraryMessages,
  player: playerMessages,
  save: saveMessages,
  share: shareMessages,
  sorts: sortLabels,
  video: videoPageMessages,
  videos: videoMessages,
};

/** English error messages of the server. */
const refusals = {
  unknown_code:
    "This code is incorrect, already used or expired. Create a new one on the other device.",
};

type PageTexts = Pick<Catalogue, keyof typeof english> & { failures: typeof refusals };

/** Languages of the pages that a test visits: English, and one that runs from right to left. */
export const languages: readonly { language: string; prefix: string; texts: PageTexts }[] = [
  { language: "English", prefix: "", texts: { ...english, failures: refusals } },
  { language: "Arabic", prefix: "/ar", texts: arabic },
];
