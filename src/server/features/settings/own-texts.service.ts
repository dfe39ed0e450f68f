import type { Language } from "#contract/site/languages.ts";
import type { SiteText } from "#contract/site/own-texts.ts";
import { placeholderProblem, type OwnTexts } from "#contract/site/text-places.ts";
import type { PublishChanges } from "#server/db/change-tags.ts";
import type { Db } from "#server/db/connection.ts";
import { noteShown } from "#server/http/cache/shown-tags.ts";
import { AppError } from "#server/lib/app-error.ts";
import { createCachedRead } from "#server/lib/cached-read.ts";
import { nameValues, numberValues, standardTexts } from "#texts/standard-texts.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import * as repository from "./settings.repository.ts";

/** Lets operators replace texts on public pages. */
export function createOwnTextsService(deps: { db: Db; changed: PublishChanges }) {
  const { db, changed } = deps;
  async function readAll(): Promise<ReadonlyMap<Language, OwnTexts>> {
    const byLanguage = new Map<Language, Record<string, string>>();
    for (const { language, id, text } of await repository.readOwnTexts(db)) {
      const texts = byLanguage.get(language) ?? {};
      texts[id] = numberValues(id, text);
      byLanguage.set(language, texts);
    }
    return byLanguage;
  }

  const cached = createCachedRead(readAll);

  return {
    /**
     * Returns a language's replacements, or null if there are none. Returns the same object until
     * they change.
     */
    async find(language: Language): Promise<OwnTexts | null> {
      noteShown("settings");
      return (await cached.get()).get(language) ?? null;
    },

    /** Returns every replaceable text. */
    async list(language: Language): Promise<SiteText[]> {
      const own = (await readAll()).get(language) ?? {};
      return [...standardTexts(language)].map(([id, standard]) => {
        const text = own[id];
        return { id, standard, own: text === undefined ? null : nameValues(id, text) };
      });
    },

    /** @param text null restores the built-in text. @throws AppError not_found, invalid. */
    async save(
      { language, id }: { language: Language; id: string },
      text: string | null,
      actor: Actor,
    ): Promise<SiteText> {
      const standard = standardTexts(language).get(id);
      if (standard === undefined) throw new AppError("not_found", "Text not found.");
      const saved = { id, standard, own: text };
      const problem = text === null ? null : placeholderProblem(saved, text);
      if (problem !== null) {
        throw new AppError("invalid", problem, { issues: [{ path: "text", message: problem }] });
      }
      await db.transaction().execute(async (trx) => {
        const before = await repository.writeOwnText(trx, { language, id, text });
        await recordAudit(trx, actor, {
          action: "settings.text_updated",
          entity: "settings",
          entityId: "1",
          before: { language, id, text: before },
          after: { language, id, text },
        });
      });
      await changed(["settings"]);
      return saved;
    },

    /** Clears the cache after a change in any process. */
    invalidate(): void {
      cached.clear();
    },
  };
}

export type OwnTextsService = ReturnType<typeof createOwnTextsService>;
