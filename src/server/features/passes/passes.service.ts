import { isDeepStrictEqual } from "node:util";
import { limits } from "#contract/limits.ts";
import { passEndWords } from "#contract/visitors/pass-end-words.ts";
import {
  passLimits,
  type Pass,
  type PassBatchBody,
  type PassBody,
  type PassList,
  type PassPatch,
  type PassQuery,
  type PassWithLink,
} from "#contract/visitors/passes.ts";
import type { Db, Trx } from "#server/db/connection.ts";
import { recordAudit, type Actor } from "#server/features/audit/audit.service.ts";
import type { SettingsService } from "#server/features/settings/settings.service.ts";
import { AppError } from "#server/lib/app-error.ts";
import type { Clock } from "#server/lib/clock.ts";
import { isUuid, newCode, newId, normalizeCode, sha256 } from "#server/lib/ids.ts";
import { mailFailure, requestTimeoutMs, UnconfirmedMail, type Mailer } from "#server/lib/mailer.ts";
import type { SecretBox } from "#server/lib/secret-box.ts";
import { visitorTexts } from "#server/lib/visitor-texts.ts";
import * as repository from "./passes.repository.ts";

/** 100 bits. */
const codeLength = 20;
const dayMs = 24 * 3600 * 1000;
/** Latest time that ISO 8601 writes with a year of four digits. */
const lastEndMs = Date.parse("9999-12-31T23:59:59.999Z");

/** Owner of a pass's code in the box. */
const ownerOf = (id: string) => `pass:${id}`;

/** Returns the hash under which a code is stored. Accepts it as typed. */
export const hashOfCode = (typed: string): Buffer => sha256(`pass:${normalizeCode(typed)}`);

/** Returns a code in groups of four, such as `7K3M-0XQD-…`. */
const newPassCode = (): string => newCode(codeLength).replace(/.{4}(?=.)/g, "$&-");

export const stateOf = (
  { revokedAt, validUntil }: Pick<repository.PassRow, "revokedAt" | "validUntil">,
  nowMs: number,
): Pass["state"] =>
  revokedAt !== null ? "revoked" : validUntil.getTime() <= nowMs ? "expired" : "active";

/** Data of a pass in webhook messages. Contains no secret, name or address. */
export const eventOf = (pass: { id: string; reference: string | null }, more: object = {}) => ({
  pass: { id: pass.id, reference: pass.reference, ...more },
});

const auditOf = (row: repository.PassRow) => ({
  name: row.note ?? row.reference ?? row.id,
  validUntil: row.validUntil.toISOString(),
  devices: row.maxDevices,
});

/** Presents passes, and encrypts their codes so that the back office can show them again. */
function createPassPresenter(deps: { clock: Clock; box: SecretBox; settings: SettingsService }) {
  const { clock, box, settings } = deps;

  const present = (row: repository.PassRow): Pass => ({
    id: row.id,
    state: stateOf(row, clock.now()),
    note: row.note,
    email: row.email,
    reference: row.reference,
    validUntil: row.validUntil.toISOString(),
    maxDevices: row.maxDevices,
    devices: row.devices,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  });

  /** @throws AppError conflict if no key opens the code. */
  function codeOf(row: repository.PassRow): string {
    const opened = box.open(row.sealedCode, ownerOf(row.id));
    if (opened === null) {
      throw new AppError(
        "conflict",
        "This pass was created with another SECRETS_KEY, so its link can't be shown. Create a new pass.",
      );
    }
    return opened.plain.toString();
  }

  async function presentWithLink(row: repository.PassRow): Promise<PassWithLink> {
    const code = codeOf(row);
    return { ...present(row), code, link: `${await settings.siteUrl()}/pass#${code}` };
  }

  return {
    present,
    presentWithLink,
    codeOf,
    seal: (id: string, code: string): Buffer => box.seal(Buffer.from(code), ownerOf(id)),
  };
}

async function composeMail(settings: SettingsService, pass: PassWithLink) {
  const { siteName, language } = await settings.getPublic();
  const site = siteName ?? limits.defaultSiteName;
  const texts = visitorTexts(language).pass;
  const end = passEndWords(new Date(pass.validUntil), language);
  return {
    subject: texts.mailSubject(site),
    text: [texts.mailText(site, end), pass.link, texts.mailCode(pass.code)].join("\n\n"),
  };
}

/**
 * Explains an error of the mailer. Blames the address only if the server refuses the recipient.
 * @throws AppError conflict, unavailable.
 */
function explainMailFailure(cause: unknown): never {
  if (cause instanceof UnconfirmedMail) {
    throw new AppError(
      "unavailable",
      "The mail server hasn't confirmed the email. It may still arrive. Copy the link if it doesn't.",
      { cause },
    );
  }
  const { message = "unknown reason", command, responseCode = 0 } = mailFailure(cause);
  const reason = message.split("\n", 1).join("").slice(0, 200);
  throw command === "RCPT TO" && responseCode >= 500
    ? new AppError(
        "conflict",
        `The mail server didn't accept the email (${reason}). Correct the address of the pass, or copy the link and send it another way.`,
        { cause },
      )
    : new AppError(
        "unavailable",
        `The email couldn't be sent (${reason}). Try again later, or copy the link and send it yourself.`,
        { cause },
      );
}

/** Manages the passes with which members play premium videos. */
export function createPassesService(deps: {
  db: Db;
  clock: Clock;
  box: SecretBox;
  settings: SettingsService;
  mailer: Mailer;
  /** Sends webhook messages that a transaction has added. */
  sendSoon: () => void;
}) {
  const { db, clock, settings, mailer, sendSoon } = deps;
  const { present, presentWithLink, codeOf, seal } = createPassPresenter(deps);

  async function get(id: string, trx: Db | Trx = db): Promise<repository.PassRow> {
    const row = isUuid(id) ? await repository.findPass(trx, id) : null;
    if (row === null) throw new AppError("not_found", "Pass not found.");
    return row;
  }

  async function lock(trx: Trx, id: string): Promise<repository.PassRow> {
    const row = isUuid(id) ? await repository.lockPass(trx, id) : null;
    if (row === null) throw new AppError("not_found", "Pass not found.");
    return row;
  }

  function endOf({ validUntil, days = 0 }: Pick<PassBody, "validUntil" | "days">): Date {
    const end = new Date(validUntil ?? clock.now() + days * dayMs);
    if (end.getTime() > clock.now()) return end;
    const message = "Choose a time in the future.";
    throw new AppError("invalid", message, { issues: [{ path: "validUntil", message }] });
  }

  /** @returns null if another pass has the reference. */
  async function insert(trx: Trx, body: PassBody, terms: object, actor: Actor) {
    const id = newId(clock.now());
    const code = newPassCode();
    const isNew = await repository.insertPass(trx, {
      id,
      codeHash: hashOfCode(code),
      sealedCode: seal(id, code),
      note: body.note ?? null,
      email: body.email ?? null,
      reference: body.reference ?? null,
      terms,
      validUntil: endOf(body),
      maxDevices: body.devices ?? passLimits.defaultDevices,
      createdAt: clock.date(),
    });
    if (!isNew) return null;
    const row = await get(id, trx);
    await recordAudit(trx, actor, {
      action: "pass.created",
      entity: "pass",
      entityId: id,
      after: auditOf(row),
    });
    await repository.noteEvent(
      trx,
      "pass.created",
      eventOf(row, { validUntil: row.validUntil.toISOString() }),
    );
    return row;
  }

  return {
    async list(query: PassQuery): Promise<PassList> {
      const { limit = limits.adminPageSize, offset = 0 } = query;
      const now = clock.date();
      const { rows, total } = await repository.listPasses(db, query, { limit, offset, now });
      return { passes: rows.map(present), total };
    },

    /** Returns a pass with its link. @throws AppError not_found. */
    get: async (id: string): Promise<PassWithLink> => presentWithLink(await get(id)),

    /**
     * Creates a pass. A repeated reference returns the pass that has it, so that a shop can repeat a
     * request whose response got lost.
     * @throws AppError conflict if the reference belongs to a pass with other terms.
     */
    async create(body: PassBody, actor: Actor): Promise<{ pass: PassWithLink; isNew: boolean }> {
      const { reference = null, ...rest } = body;
      // A stored JSON value has no undefined fields.
      const terms: unknown = JSON.parse(JSON.stringify(rest));
      const created =
        reference !== null && (await repository.findByReference(db, reference)) !== null
          ? null
          : await db.transaction().execute((trx) => insert(trx, body, rest, actor));
      if (created !== null) {
        sendSoon();
        return { pass: await presentWithLink(created), isNew: true };
      }
      const known = reference === null ? null : await repository.findByReference(db, reference);
      if (known === null || !isDeepStrictEqual(known.terms, terms)) {
        throw new AppError("conflict", "Another pass with other terms has this reference.");
      }
      return { pass: await presentWithLink(known), isNew: false };
    },

    /** Creates several passes with the same terms, all or none. */
    async createMany({ count, ...body }: PassBatchBody, actor: Actor): Promise<PassWithLink[]> {
      const rows = await db.transaction().execute(async (trx) => {
        const created: repository.PassRow[] = [];
        for (let at = 0; at < count; at += 1) {
          const row = await insert(trx, body, body, actor);
          if (row !== null) created.push(row);
        }
        return created;
      });
      sendSoon();
      return Promise.all(rows.map(presentWithLink));
    },

    /**
     * Changes or extends a pass.
     * @throws AppError not_found; conflict for a revoked pass, or if its link can't be shown.
     */
    async update(id: string, patch: PassPatch, actor: Actor): Promise<PassWithLink> {
      const row = await db.transaction().execute(async (trx) => {
        const before = await lock(trx, id);
        if (before.revokedAt !== null) {
          throw new AppError("conflict", "This pass was revoked. Create a new one.");
        }
        // The response contains the link. Without it, nothing may change, because callers try again.
        codeOf(before);
        const { note, email, devices, days } = patch;
        const from = Math.max(clock.now(), before.validUntil.getTime());
        const validUntil =
          patch.validUntil !== undefined
            ? endOf(patch)
            : days === undefined
              ? undefined
              : new Date(Math.min(from + days * dayMs, lastEndMs));
        await repository.updatePass(trx, id, {
          note,
          email,
          max_devices: devices,
          valid_until: validUntil,
          ended_at: validUntil === undefined ? undefined : null,
        });
        if (devices !== undefined) {
          const used = await repository.listDevices(trx, id);
          const extra = used.slice(0, Math.max(0, used.length - devices));
          await repository.deleteDevices(
            trx,
            id,
            extra.map((device) => device.id),
          );
        }
        const after = await get(id, trx);
        await recordAudit(trx, actor, {
          action: "pass.updated",
          entity: "pass",
          entityId: id,
          before: auditOf(before),
          after: auditOf(after),
        });
        return after;
      });
      return presentWithLink(row);
    },

    /** Ends a pass at once on all its devices. @throws AppError not_found. */
    async revoke(id: string, actor: Actor): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const row = await lock(trx, id);
        if (row.revokedAt !== null) return;
        const now = clock.date();
        await repository.updatePass(trx, id, { revoked_at: now, ended_at: now });
        await recordAudit(trx, actor, {
          action: "pass.revoked",
          entity: "pass",
          entityId: id,
          before: auditOf(row),
        });
        if (row.endedAt === null) {
          await repository.noteEvent(trx, "pass.ended", eventOf(row, { reason: "revoked" }));
        }
      });
      sendSoon();
    },

    /** Mails the link to the pass's address. @throws AppError not_found, conflict, unavailable. */
    async mail(id: string, actor: Actor): Promise<void> {
      const row = await get(id);
      const pass = await presentWithLink(row);
      if (pass.email === null) throw new AppError("conflict", "This pass has no email address.");
      if (!mailer.isConfigured) throw new AppError("conflict", "SMTP_URL isn't set.");
      const content = await composeMail(settings, pass);
      await mailer.send({ to: pass.email, ...content }, requestTimeoutMs).catch(explainMailFailure);
      await recordAudit(db, actor, {
        action: "pass.mailed",
        entity: "pass",
        entityId: id,
        after: auditOf(row),
      });
    },
  };
}

export type PassesService = ReturnType<typeof createPassesService>;

/** Precedes all ids. */
const firstId = "00000000-0000-0000-0000-000000000000";
const sealedAtOnce = 1000;

/**
 * Seals codes that are sealed with a former key, using the current key.
 * @returns the number of passes whose code no key can open.
 */
export async function sealCodes({ db, box }: { db: Db; box: SecretBox }): Promise<number> {
  let lost = 0;
  for (let after = firstId; ;) {
    const rows = await repository.listSealed(db, { after, limit: sealedAtOnce });
    for (const { id, sealedCode } of rows) {
      const opened = box.open(sealedCode, ownerOf(id));
      if (opened === null) lost += 1;
      else if (!opened.isCurrent) {
        const values = { sealed_code: box.seal(opened.plain, ownerOf(id)) };
        await repository.updatePass(db, id, values);
      }
    }
    const last = rows.at(-1);
    if (last === undefined) return lost;
    after = last.id;
  }
}

/** Tells webhooks about passes that have expired. */
export async function noteExpired({
  db,
  clock,
  sendSoon,
}: {
  db: Db;
  clock: Clock;
  sendSoon: () => void;
}): Promise<void> {
  const count = await db.transaction().execute(async (trx) => {
    const expired = await repository.takeExpired(trx, clock.date());
    for (const pass of expired) {
      await repository.noteEvent(trx, "pass.ended", eventOf(pass, { reason: "expired" }));
    }
    return expired.length;
  });
  if (count > 0) sendSoon();
}
