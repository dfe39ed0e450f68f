import { passCookieDays } from "#contract/visitors/pass-cookies.ts";
import type { PrivacyFacts } from "#contract/visitors/privacy.ts";
import { formatList, formatUnit } from "#web/lib/format/format.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

/** Data that the site stores, with retention periods. */
const texts = inLanguage("stored");

/** Entry of the privacy page about one kind of stored data. */
export interface StoredThing {
  /** Storage name in the browser, or a short name for data on the server. */
  name: string;
  what: string;
  kept: string;
}

/** Returns the cookies, which browsers send with each request. */
export function listCookies(facts: PrivacyFacts): StoredThing[] {
  const { asksAge, hasAds, hasMembers, hasTrustedAds } = facts;
  const year = formatUnit(1, "year");
  return [
    { name: "visitor", what: texts.visitor, kept: year },
    ...(asksAge ? [{ name: "age", what: texts.age, kept: year }] : []),
    ...(hasAds
      ? [{ name: "stopped_spots", what: texts.stoppedAds, kept: formatUnit(90, "day") }]
      : []),
    ...(hasTrustedAds
      ? [{ name: "consent", what: texts.consent, kept: formatUnit(180, "day") }]
      : []),
    ...(hasMembers
      ? [
          {
            name: "member, member_until",
            what: texts.pass,
            kept: formatUnit(passCookieDays, "day"),
          },
        ]
      : []),
    {
      name: "session, device, pending",
      what: texts.session,
      kept: formatList([formatUnit(90, "day"), year, formatUnit(10, "minute")]),
    },
  ];
}

/** Returns the browser storage, which isn't sent with requests. */
export function listKeys({ hasAds }: PrivacyFacts): StoredThing[] {
  const kept = texts.untilRemoved;
  return [
    { name: "kinora.library, kinora.follows", what: texts.library, kept },
    { name: "kinora.searches", what: texts.searches, kept },
    { name: "kinora.resume", what: texts.resume, kept },
    { name: "kinora.player, kinora.data-saver", what: texts.player, kept },
    { name: "library-1", what: texts.offline, kept },
    { name: "kinora.feed.wishes", what: texts.wishes, kept },
    { name: "visitor", what: texts.visitor, kept },
    { name: "theme", what: texts.theme, kept },
    { name: "kinora.language", what: texts.language, kept },
    ...(hasAds
      ? [
          { name: "spots-closed", what: texts.closedAds, kept: formatUnit(30, "minute") },
          { name: "spots-break", what: texts.adBreak, kept },
        ]
      : []),
    { name: "user, kinora-uploads", what: texts.user, kept: texts.untilSignOut },
    { name: "kinora.admin.closed-groups, kinora.admin.first-steps", what: texts.user, kept },
    { name: "lists, scroll, kinora.feed, referral", what: texts.places, kept: texts.untilClosed },
    { name: "queue", what: texts.queue, kept: texts.untilClosed },
    { name: "kinora.damaged-sources", what: texts.damaged, kept: texts.untilClosed },
  ];
}

/** Returns the data in the site's database. */
export function listStored(facts: PrivacyFacts): StoredThing[] {
  const months = formatUnit(facts.playMonths, "month");
  const { names } = texts;
  return [
    {
      name: names.likes,
      what: texts.likes,
      kept: texts.likesKept(formatUnit(facts.trashDays, "day")),
    },
    { name: names.plays, what: texts.plays, kept: texts.playsKept(months) },
    { name: names.links, what: texts.links, kept: texts.linksKept },
    ...(facts.hasAds ? [{ name: names.ads, what: texts.adCaps, kept: formatUnit(2, "day") }] : []),
    {
      name: names.moved,
      what: texts.moved,
      kept: texts.movedKept(formatUnit(10, "minute"), formatUnit(1, "hour")),
    },
    ...(facts.hasComments
      ? [{ name: names.comments, what: texts.comments, kept: texts.commentsKept }]
      : []),
    {
      name: names.reports,
      what: facts.sendsMail ? texts.reportsWithMail : texts.reports,
      kept: texts.reportsKept,
    },
    {
      name: names.address,
      what: texts.address,
      kept: texts.addressKept(formatUnit(1, "day"), formatUnit(2, "day")),
    },
    { name: names.counts, what: texts.counts, kept: texts.countsKept(months) },
  ];
}
