import { languageCodes, type Language } from "#contract/site/languages.ts";
import type { OwnPageInput } from "#contract/site/own-pages.input.ts";
import {
  maxOwnPages,
  type OwnPage,
  type OwnPagePlace,
  type OwnPageText,
  type OwnPageTexts,
} from "#contract/site/own-pages.ts";
import { sitePageNames, type OwnPageLink, type SitePage } from "#contract/site/settings.ts";
import { splitLanguage } from "#contract/site/translated-pages.ts";
import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { deleteRedirects, findRedirect, moveSlug } from "#server/db/slug-redirects.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import { AppError, checkVersion } from "#server/lib/app-error.ts";
import { createCachedRead } from "#server/lib/cached-read.ts";
import { newId } from "#server/lib/ids.ts";
import type { Media } from "#server/media/media.ts";
import { createOwnPagePictureKey, mediaUrl } from "#server/storage/media-keys.ts";
import type { Storage } from "#server/storage/storage.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import type { SettingsService } from "./settings.service.ts";
import * as repository from "./own-pages.repository.ts";
import { pageHtml } from "./page-html.ts";

const notFound = () => new AppError("not_found", "Page not found.");

/** Returns a page's text in the site's language, otherwise in any, and the others. */
function splitTexts<T>(
  texts: OwnPageTexts,
  siteLanguage: Language,
  show: (text: OwnPageText, language: Language) => T,
) {
  const given = [siteLanguage, ...languageCodes].flatMap((code) => {
    const text = texts[code];
    return text === undefined ? [] : [[code, show(text, code)] as const];
  });
  const [first] = given;
  if (first === undefined) return null;
  const others = new Map(given.filter(([code]) => code !== first[0]));
  const translations = others.size === 0 ? {} : { translations: Object.fromEntries(others) };
  return { ...first[1], ...translations };
}

/** Returns a page of the settings, or one of the operator's own. @throws AppError not_found. */
export async function getShownPage(
  { settings, ownPages }: { settings: SettingsService; ownPages: OwnPagesService },
  name: string,
) {
  const known = sitePageNames.find((each) => each === name);
  return known === undefined ? ownPages.get(name) : { html: await settings.getPage(known) };
}

/** Pages that operators write, with their pictures. */
export function createOwnPagesService(deps: {
  db: Db;
  storage: Storage;
  media: Media;
  changed: PublishChanges;
  siteLanguage: () => Promise<Language>;
}) {
  const { db, storage, media, changed, siteLanguage } = deps;

  // Cached, because every public page links to them.
  const cached = createCachedRead(() => repository.readOwnPages(db));

  function read(): Promise<OwnPage[]> {
    noteShown("settings");
    return cached.get();
  }

  /** Runs a change that no other change of the pages can interfere with. */
  async function change<T>(work: (trx: Trx, pages: OwnPage[]) => Promise<T>): Promise<T> {
    const result = await db.transaction().execute(async (trx) => {
      await repository.lockOwnPages(trx);
      return work(trx, await repository.readOwnPages(trx));
    });
    await changed(["settings"]);
    return result;
  }

  const listPublished = async () => (await read()).filter(({ isPublished }) => isPublished);

  /** Returns the published page that has an address, or had it if no other page has it now. */
  async function find(address: string): Promise<OwnPage | null> {
    const pages = await read();
    const current = pages.find((page) => page.address === address);
    const id = current?.id ?? (await findRedirect(db, "pages", address));
    return pages.find((page) => page.id === id && page.isPublished) ?? null;
  }

  return {
    list: (): Promise<OwnPage[]> => repository.readOwnPages(db),

    /** Creates a page, or changes one. @throws AppError not_found, conflict, edit_conflict. */
    save: (id: string | null, input: OwnPageInput, actor: Actor): Promise<OwnPage> =>
      change(async (trx, pages) => {
        const before = pages.find((page) => page.id === id);
        if (id !== null && before === undefined) throw notFound();
        if (before !== undefined) checkVersion(input.version, before.version, "this page");
        if (before === undefined && pages.length >= maxOwnPages) {
          const message = `You've reached the limit of ${maxOwnPages} pages. Delete one to add another.`;
          throw new AppError("conflict", message);
        }
        if (pages.some((page) => page.address === input.address && page.id !== id)) {
          const message = `“${input.address}” is the address of another page. Choose another one.`;
          throw new AppError("invalid", message, { issues: [{ path: "address", message }] });
        }
        const pageId = id ?? newId();
        if (before === undefined) {
          await repository.insertOwnPage(trx, { id: pageId, position: pages.length + 1, input });
        } else {
          await repository.updateOwnPage(trx, pageId, input);
          if (before.address !== input.address) {
            await moveSlug(trx, "pages", { id: pageId, from: before.address, to: input.address });
          }
        }
        const saved = (await repository.readOwnPages(trx)).find((page) => page.id === pageId);
        if (saved === undefined) throw notFound();
        await recordAudit(trx, actor, {
          action: before === undefined ? "page.created" : "page.updated",
          entity: "page",
          entityId: pageId,
          ...(before === undefined ? {} : { before }),
          after: saved,
        });
        return saved;
      }),

    /** @throws AppError not_found. */
    remove: (id: string, actor: Actor): Promise<void> =>
      change(async (trx, pages) => {
        const before = pages.find((page) => page.id === id);
        if (before === undefined) throw notFound();
        await repository.deleteOwnPage(trx, id);
        await deleteRedirects(trx, "pages", id);
        await recordAudit(trx, actor, {
          action: "page.deleted",
          entity: "page",
          entityId: id,
          before,
        });
      }),

    /** Sets the order. Pages that are missing in the list come last. */
    order: (ids: readonly string[], actor: Actor): Promise<OwnPage[]> =>
      change(async (trx, pages) => {
        const known = new Set(pages.map(({ id }) => id));
        const first = [...new Set(ids)].filter((id) => known.has(id));
        const rest = pages.map(({ id }) => id).filter((id) => !first.includes(id));
        await repository.orderOwnPages(trx, [...first, ...rest]);
        const sorted = await repository.readOwnPages(trx);
        const addresses = (list: OwnPage[]) => list.map(({ address }) => address);
        await recordAudit(trx, actor, {
          action: "page.ordered",
          entity: "page",
          entityId: "all",
          before: { order: addresses(pages) },
          after: { order: addresses(sorted) },
        });
        return sorted;
      }),

    /**
     * Stores an uploaded picture, without Exif data and XMP. It is deleted a day later unless
     * a page shows it.
     * @throws AppError unsupported_media, invalid.
     */
    async addPicture(path: string): Promise<{ url: string }> {
      await using scratch = await storage.createScratch();
      const picture = await media.cleanPicture(path, scratch.path);
      const key = createOwnPagePictureKey(picture.extension);
      await storage.putFile(key, picture.path, { consume: true });
      return { url: mediaUrl(key) };
    },

    /** Returns Markdown as safe HTML, as on the page. */
    preview: async (markdown: string): Promise<string> => pageHtml(markdown, await siteLanguage()),

    /** Returns links to the published pages in the menu or the footer. */
    async listLinks(place: OwnPagePlace): Promise<OwnPageLink[]> {
      const language = await siteLanguage();
      return (await listPublished()).flatMap((page) => {
        if (page.place !== place) return [];
        const shown = splitTexts(page.texts, language, ({ title }) => ({ text: title }));
        return shown === null ? [] : [{ href: `/pages/${page.address}`, ...shown }];
      });
    },

    /** Returns whether search engines shouldn't list the page at this path. */
    async isUnlisted(place: string): Promise<boolean> {
      const [, address] = /^\/pages\/([^/]+)$/.exec(place) ?? [];
      if (address === undefined) return false;
      return (await read()).some((page) => page.address === address && !page.isIndexed);
    },

    /**
     * Returns the path and query of the page that used to be at this URL, in the same language, or
     * null.
     */
    async findMoved(url: string): Promise<string | null> {
      const { language, url: plain } = splitLanguage(url);
      const [, address, query = ""] = /^\/pages\/([^/?]+)[^?]*(.*)/.exec(plain) ?? [];
      if (address === undefined) return null;
      const page = await find(address);
      if (page === null || page.address === address) return null;
      return `${language === null ? "" : `/${language}`}/pages/${page.address}${query}`;
    },

    /** Returns the addresses that search engines may list. */
    async listIndexed(): Promise<string[]> {
      return (await listPublished())
        .filter(({ isIndexed }) => isIndexed)
        .map(({ address }) => address);
    },

    /**
     * Returns a published page, also by a former address. @throws AppError not_found.
     */
    async get(address: string): Promise<SitePage> {
      const page = await find(address);
      if (page === null) throw notFound();
      const show = ({ title, markdown }: OwnPageText, language: Language) => ({
        title,
        html: pageHtml(markdown, language),
      });
      const shown = splitTexts(page.texts, await siteLanguage(), show);
      if (shown === null) throw notFound();
      return shown;
    },

    /** Clears the cache after a change in any process. */
    invalidate(): void {
      cached.clear();
    },
  };
}

export type OwnPagesService = ReturnType<typeof createOwnPagesService>;
