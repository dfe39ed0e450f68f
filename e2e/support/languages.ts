import { browseTexts } from "../../src/web/features/browse/messages.ts";
import { errorMessages } from "../../src/web/features/errors/messages.ts";
import { feedMessages } from "../../src/web/features/feed/messages.ts";
import { homeMessages, sortLabels } from "../../src/web/features/home/messages.ts";
import { libraryMessages } from "../../src/web/features/library/messages.ts";
import { playerMessages } from "../../src/web/features/player/messages.ts";
import { videoPageMessages } from "../../src/web/features/video/messages.ts";
import { layoutMessages } from "../../src/web/app/layouts/messages.ts";
import { texts as arabic } from "../../src/web/app/languages/ar.ts";
import type { Catalogue } from "../../src/web/app/languages/catalogue.ts";
import { saveMessages } from "../../src/web/components/save/messages.ts";
import { shareMessages } from "../../src/web/components/share/messages.ts";
import { videoMessages } from "../../src/web/components/video/messages.ts";

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

/** What the server says itself in English. */
const refusals = { unknown_code: "This code is unknown, used or older than ten minutes." };

type PageTexts = Pick<Catalogue, keyof typeof english> & { failures: typeof refusals };

/** Languages of the pages that a test visits: English, and one that runs from right to left. */
export const languages: readonly { language: string; prefix: string; texts: PageTexts }[] = [
  { language: "English", prefix: "", texts: { ...english, failures: refusals } },
  { language: "Arabic", prefix: "/ar", texts: arabic },
];
