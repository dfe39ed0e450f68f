import { micromark } from "micromark";
import {
  sitePageNames,
  type PublicSettings,
  type SettingsInput,
  type SitePageName,
  type SiteSettings,
} from "../../../contract/settings.ts";
import type { Db, DbOrTrx } from "../../db/connection.ts";
import type { Actor } from "../../lib/actor.ts";
import { recordAudit } from "../audit/audit.service.ts";

export interface SettingsService {
  get(): Promise<SiteSettings>;
  getPublic(): Promise<PublicSettings>;
  /** Absent fields stay as they are. */
  save(input: SettingsInput, actor: Actor): Promise<SiteSettings>;
  /**
   * One of the operator's pages as HTML, or null where it has no text. Raw HTML in the Markdown is
   * shown as text and dangerous addresses are dropped, so the result is safe to embed.
   */
  findPage(name: SitePageName): Promise<string | null>;
  /** Canonical origin: Settings' own address, else the configured one. No trailing slash. */
  siteUrl(): Promise<string>;
}

async function read(db: DbOrTrx): Promise<SiteSettings> {
  const row = await db
    .selectFrom("settings")
    .selectAll()
    .where("id", "=", 1)
    .executeTakeFirstOrThrow();
  return {
    id: String(row.id),
    siteName: row.site_name,
    siteDescription: row.site_description,
    siteUrl: row.site_url,
    logoUrl: row.logo_url,
    faviconUrl: row.favicon_url,
    filterCategories: row.filter_categories,
    browseListings: row.browse_listings,
    midrollTimes: row.midroll_times,
    terms: row.terms_markdown,
    privacy: row.privacy_markdown,
    contact: row.contact_markdown,
  };
}

export function createSettingsService(deps: {
  db: Db;
  configuredSiteUrl: string;
  changed: () => Promise<void>;
}): SettingsService {
  const { db, configuredSiteUrl, changed } = deps;

  return {
    get: () => read(db),

    async getPublic() {
      const settings = await read(db);
      const { siteName, siteDescription, siteUrl, logoUrl, faviconUrl } = settings;
      const { filterCategories, browseListings } = settings;
      return {
        siteName,
        siteDescription,
        siteUrl,
        logoUrl,
        faviconUrl,
        filterCategories,
        browseListings,
        pages: sitePageNames.filter((name) => settings[name] !== null),
      };
    },

    async save(input, actor) {
      const after = await db.transaction().execute(async (trx) => {
        const before = await read(trx);
        await trx
          .updateTable("settings")
          .set({
            site_name: input.siteName,
            site_description: input.siteDescription,
            site_url: input.siteUrl,
            logo_url: input.logoUrl,
            favicon_url: input.faviconUrl,
            filter_categories: input.filterCategories,
            browse_listings: input.browseListings,
            midroll_times: input.midrollTimes,
            terms_markdown: input.terms,
            privacy_markdown: input.privacy,
            contact_markdown: input.contact,
            updated_at: new Date(),
          })
          .where("id", "=", 1)
          .execute();
        const saved = await read(trx);
        await recordAudit(trx, actor, {
          action: "settings.updated",
          entity: "settings",
          entityId: "1",
          before,
          after: saved,
        });
        return saved;
      });
      await changed();
      return after;
    },

    async findPage(name) {
      const text = (await read(db))[name];
      return text === null ? null : micromark(text);
    },

    async siteUrl() {
      const { siteUrl } = await read(db);
      return siteUrl === null ? configuredSiteUrl : new URL(siteUrl).origin;
    },
  };
}
