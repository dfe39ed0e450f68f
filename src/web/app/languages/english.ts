import { adLabel } from "#ads/web/ad-label.ts";
import { adMessages } from "#ads/web/messages.ts";
import { browseMessages, browseTexts } from "#web/features/browse/messages.ts";
import { errorMessages } from "#web/features/errors/messages.ts";
import { favoritesMessages } from "#web/features/favorites/messages.ts";
import { feedKeyTexts } from "#web/features/feed/key-list.ts";
import { feedMessages } from "#web/features/feed/messages.ts";
import { homeMessages, sortLabels } from "#web/features/home/messages.ts";
import { libraryMessages } from "#web/features/visitor-library/messages.ts";
import { libraryTabMessages } from "#web/components/library/messages.ts";
import { keyTexts } from "#web/features/player/key-list.ts";
import { faultTexts, playerMessages } from "#web/features/player/messages.ts";
import {
  groundNames,
  outcomeNames,
  reasonNames,
  removalMessages,
  reportMessages,
  takedownMessages,
} from "#web/features/report/messages.ts";
import { filterLabels, searchMessages } from "#web/features/search/messages.ts";
import { rangeLabels, trendingMessages } from "#web/features/trending/messages.ts";
import { videoPageMessages } from "#web/features/video/messages.ts";
import { layoutMessages } from "../layouts/messages.ts";
import { shareMessages } from "#web/components/share/messages.ts";
import { siteMessages } from "#web/components/site/messages.ts";
import { uiMessages } from "#web/components/ui/messages.ts";
import { foundMessages } from "#web/components/video/found-messages.ts";
import { videoMessages } from "#web/components/video/messages.ts";
import { formatTexts } from "#web/lib/format/messages.ts";
import { saveMessages } from "#web/components/save/messages.ts";
import { aboutAdMessages } from "#ads/web/about-ad-messages.ts";
import { commentMessages } from "#web/features/comments/messages.ts";
import { consentMessages } from "#web/features/consent/messages.ts";
import { sourceMessages } from "#web/features/site-pages/messages.ts";
import { privacyMessages } from "#web/features/site-pages/privacy/messages.ts";
import { storedTexts } from "#web/features/site-pages/privacy/stored-messages.ts";

/** English texts of all modules. The contract contains those of the server. */
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
  libraryTabs: libraryTabMessages,
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
