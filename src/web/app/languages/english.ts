import { adLabel } from "../../features/ads/ad-label.ts";
import { adMessages } from "../../features/ads/messages.ts";
import { browseMessages, browseTexts } from "../../features/browse/messages.ts";
import { errorMessages } from "../../features/errors/messages.ts";
import { favoritesMessages } from "../../features/favorites/messages.ts";
import { feedKeyTexts, feedMessages } from "../../features/feed/messages.ts";
import { homeMessages, sortLabels } from "../../features/home/messages.ts";
import { libraryMessages } from "../../features/library/messages.ts";
import { keyTexts } from "../../features/player/key-list.ts";
import { faultTexts, playerMessages } from "../../features/player/messages.ts";
import {
  groundNames,
  outcomeNames,
  reasonNames,
  removalMessages,
  reportMessages,
  takedownMessages,
} from "../../features/report/messages.ts";
import { filterLabels, searchMessages } from "../../features/search/messages.ts";
import { rangeLabels, trendingMessages } from "../../features/trending/messages.ts";
import { videoPageMessages } from "../../features/video/messages.ts";
import { layoutMessages } from "../layouts/messages.ts";
import { shareMessages } from "../../components/share/messages.ts";
import { siteMessages } from "../../components/site/messages.ts";
import { uiMessages } from "../../components/ui/messages.ts";
import { foundMessages } from "../../components/video/found-messages.ts";
import { videoMessages } from "../../components/video/messages.ts";
import { formatTexts } from "../../lib/format/messages.ts";
import { saveMessages } from "../../components/save/messages.ts";
import { aboutAdMessages } from "../../features/ads/core/about-ad-messages.ts";
import { commentMessages } from "../../features/comments/messages.ts";
import { consentMessages } from "../../features/consent/messages.ts";
import { sourceMessages } from "../../features/site-pages/messages.ts";
import { privacyMessages } from "../../features/site-pages/privacy/messages.ts";
import { storedTexts } from "../../features/site-pages/privacy/stored-messages.ts";

/** The English texts of all modules. Those that the server says stand in its contract. */
export const englishTexts = {
  aboutAd: aboutAdMessages,
  ads: { ...adMessages, ...adLabel },
  browse: browseMessages,
  browseParts: browseTexts,
  comments: commentMessages,
  consent: consentMessages,
  errors: errorMessages,
  faults: faultTexts,
  favorites: favoritesMessages,
  feed: feedMessages,
  feedKeys: feedKeyTexts,
  filters: filterLabels,
  format: formatTexts,
  found: foundMessages,
  grounds: groundNames,
  home: homeMessages,
  layout: layoutMessages,
  library: libraryMessages,
  outcomes: outcomeNames,
  player: playerMessages,
  playerKeys: keyTexts,
  privacy: privacyMessages,
  ranges: rangeLabels,
  reasons: reasonNames,
  removals: removalMessages,
  report: reportMessages,
  save: saveMessages,
  search: searchMessages,
  share: shareMessages,
  sorts: sortLabels,
  stored: storedTexts,
  takedown: takedownMessages,
  trending: trendingMessages,
  site: siteMessages,
  source: sourceMessages,
  ui: uiMessages,
  video: videoPageMessages,
  videos: videoMessages,
};
