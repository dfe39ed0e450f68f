import type { Language } from "#contract/site/languages.ts";
import {
  sitePageNames,
  sitePictures,
  type OwnPageLink,
  type SitePicture,
  type PublicSettings,
  type SettingsInput,
  type SitePageName,
  type SiteSettings,
} from "#contract/site/settings.ts";
import type { OwnPagePlace } from "#contract/site/own-pages.ts";
import { accentOnGroundProblem } from "#contract/site/theme.ts";
import { labelOfPath } from "#contract/lists/label-address.ts";
import type { PinnedLabel } from "#server/db/column-types.ts";
import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { retireFiles } from "#server/db/retired-files.ts";
import { settleCommit } from "#server/db/settle-commit.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import { AppError, checkVersion } from "#server/lib/app-error.ts";
import { createCachedRead } from "#server/lib/cached-read.ts";
import { refuseSharedOrigins } from "#server/lib/public-suffix.ts";
import type { Media } from "#server/media/media.ts";
import { createSitePictureKey, mediaUrl, sitePictureKeyOf } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import { pageHtml } from "./page-html.ts";
import * as repository from "./settings.repository.ts";

export type ProtectionSettings = Pick<
  SiteSettings,
  "crawlSearch" | "crawlAi" | "crawlOthers" | "mediaOnOtherSites" | "mediaWithoutOrigin"
>;

const noAv1 =
  "This server's ffmpeg can't encode AV1 because it was built without libsvtav1. Install a build that includes it, or leave this off.";

function publicSettings(
  settings: SiteSettings,
  menuLinks: OwnPageLink[],
  footerLinks: OwnPageLink[],
): PublicSettings {
  const { siteName, siteDescription, siteUrl, logoUrl, faviconUrl, accentColor, sourceUrl } =
    settings;
  const {
    filterCategories,
    browseListings,
    takedownLog,
    ageGate,
    comments,
    language,
    evenLoudness,
    replayPeak,
    embedding,
    adsInEmbeds,
    mediaOnOtherSites,
    mediaWithoutOrigin,
    pinnedLabels,
    membersText,
    membersUrl,
  } = settings;
  return {
    siteName,
    siteDescription,
    siteUrl,
    logoUrl,
    faviconUrl,
    accentColor,
    sourceUrl,
    filterCategories,
    browseListings,
    takedownLog,
    ageGate,
    comments,
    language,
    evenLoudness,
    embedding,
    pinnedLabels,
    membersText,
    membersUrl,
    pages: sitePageNames.filter((name) => settings[name] !== null),
    ...(replayPeak ? { replayPeak } : {}),
    ...(adsInEmbeds ? { adsInEmbeds } : {}),
    ...(mediaOnOtherSites ? {} : { mediaOnOtherSites, mediaWithoutOrigin }),
    ...(menuLinks.length > 0 ? { menuLinks } : {}),
    ...(footerLinks.length > 0 ? { footerLinks } : {}),
  };
}

const noFolder =
  "This server doesn't have an import folder. Set IMPORT_DIR to the folder to watch, and restart the server.";

function checkInput(
  input: SettingsInput,
  old: SiteSettings,
  { hasSvtAv1, hasImportFolder }: { hasSvtAv1: boolean; hasImportFolder: boolean },
): void {
  if (input.watchFolder === true && !old.watchFolder && !hasImportFolder) {
    const issues = [{ path: "watchFolder", message: noFolder }];
    throw new AppError("invalid", noFolder, { issues });
  }
  const wantsAv1 = input.efficientRenditions === "idle" && old.efficientRenditions === "off";
  if (wantsAv1 && !hasSvtAv1) {
    const issues = [{ path: "efficientRenditions", message: noAv1 }];
    throw new AppError("invalid", noAv1, { issues });
  }
  const { accentColor = old.accentColor, groundColor = old.groundColor } = input;
  const contrast = accentOnGroundProblem(accentColor, groundColor);
  const isThemeChanged = accentColor !== old.accentColor || groundColor !== old.groundColor;
  if (contrast !== null && isThemeChanged) {
    const path = groundColor === old.groundColor ? "accentColor" : "groundColor";
    throw new AppError("invalid", contrast, { issues: [{ path, message: contrast }] });
  }
  refuseSharedOrigins(input.adOrigins ?? [], "adOrigins");
  refuseSharedOrigins(input.embedOrigins ?? [], "embedOrigins", "List the sites themselves.");
}

/** Returns the database's name for a chosen zone. @throws AppError invalid if it has none. */
async function findZone(trx: Trx, zone: string): Promise<string> {
  const name = await repository.findZone(trx, zone);
  if (name !== null) return name;
  const message = "The database doesn't know this time zone. Choose another city.";
  throw new AppError("invalid", message, { issues: [{ path: "timeZone", message }] });
}

/** Returns the labels at these paths. @throws AppError invalid for a path without a label. */
async function findPinned(trx: Trx, paths: readonly string[] | undefined) {
  if (paths === undefined) return undefined;
  const found = new Map<string, PinnedLabel>();
  for (const path of paths) {
    const named = labelOfPath(path);
    const label = named === null ? null : await repository.findPinned(trx, named);
    if (label === null) {
      const message = `There is nothing at “${path.slice(0, 80)}”. Enter the path of a category, tag or actor.`;
      throw new AppError("invalid", message, { issues: [{ path: "pinnedLabels", message }] });
    }
    found.set(label.id, label);
  }
  return [...found.values()];
}

export function createSettingsService(deps: {
  db: Db;
  storage: Storage;
  media: Media;
  configuredSiteUrl: string;
  configuredMediaBytesPerHour: number | null;
  /** True if this server has a folder from which files are imported. */
  hasImportFolder: boolean;
  changed: PublishChanges;
  /** Returns links to the published pages by the operator. */
  listOwnPages: (place: OwnPagePlace) => Promise<OwnPageLink[]>;
}) {
  const { db, storage, media, configuredSiteUrl, changed, listOwnPages } = deps;

  // Cached, because every page reads them twice.
  const cached = createCachedRead(() => repository.readSettings(db));

  function current(): Promise<SiteSettings> {
    noteShown("settings");
    return cached.get();
  }

  /** Like `getPage`, but returns null if the operator wrote none. */
  async function findPage(name: SitePageName): Promise<string | null> {
    const { [name]: text, language } = await current();
    return text === null ? null : pageHtml(text, language);
  }

  /**
   * Saves the given fields.
   * @param checkAddress throws unless the caller may change the site's address.
   * @throws AppError edit_conflict, invalid, and the errors of `checkAddress`.
   */
  async function save(
    input: SettingsInput,
    actor: Actor,
    checkAddress: () => void,
  ): Promise<SiteSettings> {
    const after = await db.transaction().execute(async (trx) => {
      await repository.lockSettings(trx);
      const old = await repository.readSettings(trx);
      checkVersion(input.version, old.version, "the settings");
      if (input.siteUrl !== undefined && input.siteUrl !== old.siteUrl) checkAddress();
      const { hasSvtAv1 } = media.report;
      checkInput(input, old, { hasSvtAv1, hasImportFolder: deps.hasImportFolder });
      const { timeZone = old.timeZone } = input;
      const zone = timeZone === old.timeZone ? timeZone : await findZone(trx, timeZone);
      const pinned = await findPinned(trx, input.pinnedLabels);
      await repository.updateSettings(trx, { ...input, timeZone: zone }, pinned);
      const saved = await repository.readSettings(trx);
      await recordAudit(trx, actor, {
        action: "settings.updated",
        entity: "settings",
        entityId: "1",
        before: old,
        after: saved,
      });
      const replaced = Object.values(sitePictures).filter((name) => old[name] !== saved[name]);
      // Cached pages still show the replaced pictures.
      await retireFiles(
        trx,
        replaced.map((name) => sitePictureKeyOf(old[name])),
      );
      return { saved, isAccessChanged: old.premiumAccess !== saved.premiumAccess };
    });
    // Every response with a video may change, and so may the copies of its files in a CDN.
    await changed(after.isAccessChanged ? "everything" : ["settings"]);
    return after.saved;
  }

  return {
    /** Returns the settings from memory. */
    current,

    /** Reads the settings from the database. All other calls read them from memory. */
    readFresh(): Promise<SiteSettings> {
      noteShown("settings");
      return repository.readSettings(db);
    },

    async getPublic(): Promise<PublicSettings> {
      const settings = await current();
      return publicSettings(settings, await listOwnPages("menu"), await listOwnPages("footer"));
    },

    save,

    /**
     * Sets the logo or favicon from an uploaded local file.
     * @throws AppError unsupported_media if the file isn't a picture; invalid.
     */
    async setPicture(picture: SitePicture, path: string, actor: Actor): Promise<SiteSettings> {
      await using scratch = await storage.createScratch();
      const icon = await media.makeIcon(path, scratch.path);
      const key = createSitePictureKey(picture, icon.name);
      await storage.putFile(key, icon.path, { consume: true });
      const name = sitePictures[picture];
      const saved = await settleCommit(
        () => save({ [name]: mediaUrl(key) }, actor, () => undefined),
        {
          isCommitted: async () => (await repository.readSettings(db))[name] === mediaUrl(key),
          deleteFiles: () => storage.delete(key),
        },
      );
      if (saved !== null) return saved;
      await changed(["settings"]);
      return repository.readSettings(db);
    },

    /**
     * Returns one of the site's own pages as safe HTML. Raw HTML in the Markdown becomes text, and
     * dangerous addresses are dropped. @throws AppError not_found if the page has no text.
     */
    async getPage(name: SitePageName): Promise<string> {
      const html = await findPage(name);
      if (html === null) throw new AppError("not_found", "Page not found.");
      return html;
    },

    findPage,

    /**
     * Returns the canonical origin without a trailing slash. It is the address in the settings,
     * otherwise the configured one.
     */
    async siteUrl(): Promise<string> {
      const { siteUrl } = await current();
      return siteUrl === null ? configuredSiteUrl : new URL(siteUrl).origin;
    },

    /**
     * Returns how many media bytes an address group may receive in an hour: the limit in the
     * settings, otherwise the configured one. Null without a limit.
     */
    mediaBytesPerHour: async (): Promise<number | null> =>
      (await current()).mediaBytesPerHour ?? deps.configuredMediaBytesPerHour,

    /** Returns whether the For You feed shows a locked video among ten clips. */
    showsLockedClips: async (): Promise<boolean> => {
      const { premiumAccess, membersInFeed } = await current();
      return premiumAccess === "members" && membersInFeed;
    },

    /** Returns whether AV1 renditions are made while no other video is processed. */
    wantsEfficient: async (): Promise<boolean> => (await current()).efficientRenditions === "idle",

    /** Returns the language of pages that have none in their address. */
    siteLanguage: async (): Promise<Language> => (await current()).language,

    /** Clears the cache after a change in any process. */
    invalidate(): void {
      cached.clear();
    },
  };
}

export type SettingsService = ReturnType<typeof createSettingsService>;
