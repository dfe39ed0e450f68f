import { sql } from "kysely";
import { mainZoneName } from "#ads/contract/site-zone.ts";
import type { SettingsInput, SiteSettings } from "#contract/site/settings.ts";
import type { LabelKind } from "#contract/lists/labels.ts";
import type { PinnedLabel } from "#server/db/column-types.ts";
import { findRedirect } from "#server/db/slug-redirects.ts";
import type { Db, DbOrTrx, Trx } from "#server/db/connection.ts";
import type { Language } from "#contract/site/languages.ts";

export interface OwnTextRow {
  language: Language;
  id: string;
  text: string;
}

export async function readOwnTexts(db: DbOrTrx): Promise<OwnTextRow[]> {
  return db.selectFrom("own_texts").select(["language", "id", "text"]).execute();
}

/** @returns the previous text, or null. */
export async function writeOwnText(
  trx: Trx,
  { language, id, text }: Omit<OwnTextRow, "text"> & { text: string | null },
): Promise<string | null> {
  const before = await trx
    .deleteFrom("own_texts")
    .where("language", "=", language)
    .where("id", "=", id)
    .returning("text")
    .executeTakeFirst();
  if (text !== null) {
    await trx
      .insertInto("own_texts")
      .values({ language, id, text })
      .onConflict((conflict) => conflict.columns(["language", "id"]).doUpdateSet({ text }))
      .execute();
  }
  return before?.text ?? null;
}

export async function readSettings(db: DbOrTrx): Promise<SiteSettings> {
  const row = await db
    .selectFrom("settings")
    .selectAll()
    .where("id", "=", 1)
    .executeTakeFirstOrThrow();
  return {
    id: String(row.id),
    siteName: row.site_name,
    siteDescription: row.site_description,
    // Older versions accepted a path and more.
    siteUrl: row.site_url === null ? null : (URL.parse(row.site_url)?.origin ?? row.site_url),
    logoUrl: row.logo_url,
    faviconUrl: row.favicon_url,
    accentColor: row.accent_color,
    groundColor: row.ground_color,
    cornerRadius: row.corner_radius,
    font: row.font,
    sourceUrl: row.source_url,
    securityContact: row.security_contact,
    filterCategories: row.filter_categories,
    browseListings: row.browse_listings,
    midrollTimes: row.midroll_times,
    trashDays: row.trash_days,
    terms: row.terms_markdown,
    privacy: row.privacy_markdown,
    contact: row.contact_markdown,
    takedownLog: row.takedown_log,
    ageGate: row.age_gate,
    blockedCountries: row.blocked_countries,
    adOrigins: row.ad_origins,
    adsTxt: row.ads_txt,
    appAdsTxt: row.app_ads_txt,
    sellersJson: row.sellers_json,
    prerollMinVideoS: row.preroll_min_video_s,
    breakGapS: row.break_gap_s,
    podMaxS: row.pod_max_s,
    midrollEveryMin: row.midroll_every_min,
    timeZone: row.time_zone,
    comments: row.comments,
    commentWords: row.comment_words,
    commentLinks: row.comment_links,
    language: row.language,
    evenLoudness: row.even_loudness,
    replayPeak: row.replay_peak,
    keepOriginals: row.keep_originals,
    efficientRenditions: row.efficient_renditions,
    crawlSearch: row.crawl_search,
    crawlAi: row.crawl_ai,
    crawlOthers: row.crawl_others,
    mediaOnOtherSites: row.media_on_other_sites,
    mediaWithoutOrigin: row.media_without_origin,
    mediaBytesPerHour: row.media_bytes_per_hour,
    podcast: row.podcast,
    podcastCategory: row.podcast_category,
    podcastEmail: row.podcast_email,
    embedding: row.embedding,
    embedOrigins: row.embed_origins,
    adsInEmbeds: row.ads_in_embeds,
    pinnedLabels: await listPinnedPaths(db, row.pinned_labels),
    premiumAccess: row.premium_access,
    membersText: row.members_text,
    membersUrl: row.members_url,
    membersInFeed: row.members_in_feed,
    watchFolder: row.watch_folder,
    watchPublishes: row.watch_publishes,
    watchRestS: row.watch_rest_s,
    version: row.version,
  };
}

/** Returns the paths of labels. Deleted labels are left out, and merged ones are one. */
async function listPinnedPaths(db: DbOrTrx, pinned: readonly PinnedLabel[]): Promise<string[]> {
  const paths = new Set<string>();
  for (const { kind, id } of pinned) {
    const label = await db.selectFrom(kind).select("slug").where("id", "=", id).executeTakeFirst();
    if (label !== undefined) paths.add(`${kind}/${label.slug}`);
  }
  return [...paths];
}

/** Finds the label with this slug, also a former slug. */
export async function findPinned(
  trx: Trx,
  { kind, slug }: { kind: LabelKind; slug: string },
): Promise<PinnedLabel | null> {
  const label = await trx.selectFrom(kind).select("id").where("slug", "=", slug).executeTakeFirst();
  const id = label?.id ?? (await findRedirect(trx, kind, slug));
  return id === null ? null : { kind, id };
}

/** Updates the given fields. @param pinned labels of `pinnedLabels`, if it is given. */
export async function updateSettings(
  trx: Trx,
  input: SettingsInput,
  pinned: PinnedLabel[] | undefined,
): Promise<void> {
  await trx
    .updateTable("settings")
    .set({
      site_name: input.siteName,
      site_description: input.siteDescription,
      site_url: input.siteUrl,
      logo_url: input.logoUrl,
      favicon_url: input.faviconUrl,
      accent_color: input.accentColor,
      ground_color: input.groundColor,
      corner_radius: input.cornerRadius,
      font: input.font,
      source_url: input.sourceUrl,
      security_contact: input.securityContact,
      filter_categories: input.filterCategories,
      browse_listings: input.browseListings,
      midroll_times: input.midrollTimes,
      trash_days: input.trashDays,
      terms_markdown: input.terms,
      privacy_markdown: input.privacy,
      contact_markdown: input.contact,
      takedown_log: input.takedownLog,
      age_gate: input.ageGate,
      blocked_countries: input.blockedCountries,
      ad_origins: input.adOrigins,
      ads_txt: input.adsTxt,
      app_ads_txt: input.appAdsTxt,
      sellers_json: input.sellersJson,
      preroll_min_video_s: input.prerollMinVideoS,
      break_gap_s: input.breakGapS,
      pod_max_s: input.podMaxS,
      midroll_every_min: input.midrollEveryMin,
      time_zone: input.timeZone,
      comments: input.comments,
      comment_words: input.commentWords,
      comment_links: input.commentLinks,
      language: input.language,
      even_loudness: input.evenLoudness,
      replay_peak: input.replayPeak,
      keep_originals: input.keepOriginals,
      efficient_renditions: input.efficientRenditions,
      crawl_search: input.crawlSearch,
      crawl_ai: input.crawlAi,
      crawl_others: input.crawlOthers,
      media_on_other_sites: input.mediaOnOtherSites,
      media_without_origin: input.mediaWithoutOrigin,
      media_bytes_per_hour: input.mediaBytesPerHour,
      podcast: input.podcast,
      podcast_category: input.podcastCategory,
      podcast_email: input.podcastEmail,
      embedding: input.embedding,
      embed_origins: input.embedOrigins,
      ads_in_embeds: input.adsInEmbeds,
      pinned_labels: pinned && JSON.stringify(pinned),
      premium_access: input.premiumAccess,
      members_text: input.membersText,
      members_url: input.membersUrl,
      members_in_feed: input.membersInFeed,
      watch_folder: input.watchFolder,
      watch_publishes: input.watchPublishes,
      watch_rest_s: input.watchRestS,
      updated_at: new Date(),
      version: sql`version + 1`,
    })
    .where("id", "=", 1)
    .execute();
}

/**
 * Returns the name by which the database knows this zone, or null. Some databases know only the
 * newer of two names, such as Asia/Kolkata for Asia/Calcutta.
 */
export async function findZone(db: DbOrTrx, zone: string): Promise<string | null> {
  const main = mainZoneName(zone);
  if (main === null) return null;
  const { rows } = await sql<{ name: string }>`
    select name from pg_timezone_names order by name <> ${zone}, name`.execute(db);
  return rows.find(({ name }) => mainZoneName(name) === main)?.name ?? null;
}

/** Stores the database's name for the site's zone. Another database may have had another name. */
export async function renameZone(db: Db): Promise<void> {
  const { timeZone } = await readSettings(db);
  const name = await findZone(db, timeZone);
  if (name === null || name === timeZone) return;
  await db.updateTable("settings").set({ time_zone: name }).execute();
}

/** Blocks other changes until the transaction ends. */
export async function lockSettings(trx: Trx): Promise<void> {
  await sql`select from settings where id = 1 for update`.execute(trx);
}
