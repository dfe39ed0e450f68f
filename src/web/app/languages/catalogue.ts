import type { adLabel } from "../../features/ads/ad-label.ts";
import type { adMessages } from "../../features/ads/messages.ts";
import type { browseMessages, browseTexts } from "../../features/browse/messages.ts";
import type { errorMessages } from "../../features/errors/messages.ts";
import type { favoritesMessages } from "../../features/favorites/messages.ts";
import type { feedKeyTexts, feedMessages } from "../../features/feed/messages.ts";
import type { homeMessages, sortLabels } from "../../features/home/messages.ts";
import type { libraryMessages } from "../../features/library/messages.ts";
import type { keyTexts } from "../../features/player/key-list.ts";
import type { faultTexts, playerMessages } from "../../features/player/messages.ts";
import type {
  groundNames,
  outcomeNames,
  reasonNames,
  removalMessages,
  reportMessages,
  takedownMessages,
} from "../../features/report/messages.ts";
import type { filterLabels, searchMessages } from "../../features/search/messages.ts";
import type { rangeLabels, trendingMessages } from "../../features/trending/messages.ts";
import type { videoPageMessages } from "../../features/video/messages.ts";
import type { layoutMessages } from "../layouts/messages.ts";
import type { shareMessages } from "../../components/share/messages.ts";
import type { siteMessages } from "../../components/site/messages.ts";
import type { uiMessages } from "../../components/ui/messages.ts";
import type { foundMessages } from "../../components/video/found-messages.ts";
import type { videoMessages } from "../../components/video/messages.ts";
import type { FailureTexts } from "../../lib/api/failure-text.ts";
import type { ReasonTexts } from "../../lib/lists/why-text.ts";
import type { formatTexts } from "../../lib/format/messages.ts";
import type { saveMessages } from "../../components/save/messages.ts";
import type { aboutAdMessages } from "../../features/ads/core/about-ad-messages.ts";
import type { commentMessages } from "../../features/comments/messages.ts";
import type { consentMessages } from "../../features/consent/messages.ts";
import type { privacyMessages } from "../../features/site-pages/privacy/messages.ts";
import type { storedTexts } from "../../features/site-pages/privacy/stored-messages.ts";

/** Every text that visitors see. A language file has all of them, so that a missing one is a type error. */
export type Catalogue = {
  aboutAd: typeof aboutAdMessages;
  ads: typeof adMessages & typeof adLabel;
  browse: typeof browseMessages;
  browseParts: typeof browseTexts;
  comments: typeof commentMessages;
  consent: typeof consentMessages;
  errors: typeof errorMessages;
  failures: FailureTexts;
  faults: typeof faultTexts;
  favorites: typeof favoritesMessages;
  feed: typeof feedMessages;
  feedKeys: typeof feedKeyTexts;
  filters: typeof filterLabels;
  format: typeof formatTexts;
  found: typeof foundMessages;
  grounds: typeof groundNames;
  home: typeof homeMessages;
  layout: typeof layoutMessages;
  library: typeof libraryMessages;
  outcomes: typeof outcomeNames;
  player: typeof playerMessages;
  playerKeys: typeof keyTexts;
  privacy: typeof privacyMessages;
  ranges: typeof rangeLabels;
  reasons: typeof reasonNames;
  reasonsOfLists: ReasonTexts;
  removals: typeof removalMessages;
  report: typeof reportMessages;
  save: typeof saveMessages;
  search: typeof searchMessages;
  share: typeof shareMessages;
  sorts: typeof sortLabels;
  stored: typeof storedTexts;
  takedown: typeof takedownMessages;
  trending: typeof trendingMessages;
  site: typeof siteMessages;
  ui: typeof uiMessages;
  video: typeof videoPageMessages;
  videos: typeof videoMessages;
};
