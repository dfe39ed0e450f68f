import type { FastifyReply, FastifyRequest } from "fastify";
import { passCookie, passCookieDays, passUntilCookie } from "#contract/visitors/pass-cookies.ts";
import { passLimits, type OpenedPass } from "#contract/visitors/passes.ts";
import type { Db } from "#server/db/connection.ts";
import { countCall } from "#server/db/write-counts.ts";
import { describeDevice } from "#server/features/auth/sessions.service.ts";
import { readCookie, writeCookie } from "#server/http/access/cookies.ts";
import type { Clock } from "#server/lib/clock.ts";
import { newId, newToken, sha256 } from "#server/lib/ids.ts";
import * as repository from "./passes.repository.ts";
import { eventOf, hashOfCode, stateOf } from "./passes.service.ts";

/** How precise "last used" is. */
const usedEveryMs = 5 * 60_000;
const tokenFormat = /^[\w-]{43}$/;

const tokenOf = ({ headers }: FastifyRequest): string | null => {
  const token = readCookie(headers.cookie, passCookie);
  return token !== null && tokenFormat.test(token) ? token : null;
};
const hashOfToken = (token: string) => sha256(`pass-device:${token}`);

/** Finds out who is a member, and which devices use a pass. */
export function createMembership(deps: { db: Db; clock: Clock; sendSoon: () => void }) {
  const { db, clock, sendSoon } = deps;

  async function findDevice(request: FastifyRequest): Promise<repository.MemberRow | null> {
    const token = tokenOf(request);
    return token === null ? null : repository.findDevice(db, hashOfToken(token));
  }

  /** Returns the valid pass of the requester's device, or null. */
  async function find(request: FastifyRequest): Promise<repository.MemberRow | null> {
    const device = await findDevice(request);
    return device !== null && stateOf(device, clock.now()) === "active" ? device : null;
  }

  /** Removes the cookies of a device. */
  function forget(request: FastifyRequest, reply: FastifyReply): void {
    setCookies(request, reply, "", new Date(0));
  }

  /** Renews the cookies, because the pass may have been extended. */
  function renewCookies(request: FastifyRequest, reply: FastifyReply, validUntil: Date): void {
    const token = tokenOf(request);
    if (token !== null) setCookies(request, reply, token, validUntil);
  }

  function setCookies(request: FastifyRequest, reply: FastifyReply, token: string, until: Date) {
    const options = {
      maxAgeS: token === "" ? 0 : passCookieDays * 24 * 3600,
      isSecure: request.protocol === "https",
    };
    const hint = writeCookie(passUntilCookie, String(until.getTime()), options);
    // The header of pages, which are the same for everyone, shows it.
    void reply.header("set-cookie", [
      writeCookie(passCookie, token, options),
      hint.replace("; HttpOnly", ""),
    ]);
  }

  async function open(
    from: Parameters<typeof repository.listDevices>[0],
    row: repository.PassRow,
    own: repository.MemberRow | null,
  ): Promise<OpenedPass> {
    const devices = await repository.listDevices(from, row.id);
    const ownDeviceId = own?.passId === row.id ? own.deviceId : null;
    const isFull = ownDeviceId === null && devices.length >= row.maxDevices;
    return {
      id: row.id,
      state: stateOf(row, clock.now()),
      validUntil: row.validUntil,
      maxDevices: row.maxDevices,
      devices,
      ownDeviceId,
      replaced: isFull ? (devices[0] ?? null) : null,
    };
  }

  return {
    find,

    isMember: async (request: FastifyRequest): Promise<boolean> => (await find(request)) !== null,

    /** Returns the pass that the requester's device uses, or null. */
    async findOwn(request: FastifyRequest): Promise<OpenedPass | null> {
      const own = await find(request);
      const row = own === null ? null : await repository.findPass(db, own.passId);
      return row === null ? null : open(db, row, own);
    },

    /**
     * Returns the pass with this code, or null.
     * @throws AppError rate_limited after too many tries from an address.
     */
    async findByCode(
      code: string,
      request: FastifyRequest,
      addressKey: string,
    ): Promise<OpenedPass | null> {
      const max = passLimits.triesPerMinute;
      await countCall(db, `pass:${addressKey}`, { max, nowMs: clock.now() });
      const row = await repository.findByCode(db, hashOfCode(code));
      return row === null ? null : open(db, row, await find(request));
    },

    /**
     * Makes the requester's device use a pass.
     * @param replacedId device that may be signed out to make room.
     * @returns null, or the pass if the requester must first agree to replace a device.
     */
    async use(
      code: string,
      replacedId: string | null,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<OpenedPass | null> {
      const token = newToken(32);
      // Also of a pass that has ended, because it may be extended.
      const own = await findDevice(request);
      const result = await db.transaction().execute(async (trx) => {
        const row = await repository.lockByCode(trx, hashOfCode(code));
        if (row === null || stateOf(row, clock.now()) !== "active") return null;
        const opened = await open(trx, row, own);
        if (opened.ownDeviceId !== null) return { opened, isAsked: false };
        if (opened.replaced !== null && opened.replaced.id !== replacedId) {
          return { opened, isAsked: true };
        }
        if (opened.replaced !== null) {
          await repository.deleteDevices(trx, row.id, [opened.replaced.id]);
        }
        // A browser uses one pass at a time.
        if (own !== null) await repository.deleteDevices(trx, own.passId, [own.deviceId]);
        const now = clock.date();
        const name = describeDevice(request.headers["user-agent"] ?? "");
        await repository.insertDevice(trx, {
          id: newId(clock.now()),
          passId: row.id,
          tokenHash: hashOfToken(token),
          name,
          now,
        });
        await repository.updatePass(trx, row.id, { last_used_at: now });
        await repository.noteEvent(trx, "pass.used", eventOf(row, { device: name }));
        setCookies(request, reply, token, row.validUntil);
        return { opened, isAsked: false };
      });
      sendSoon();
      return result?.isAsked === true ? result.opened : null;
    },

    /** Signs out a device of the pass that the requester holds. */
    async signOut(pass: OpenedPass, deviceId: string): Promise<void> {
      await repository.deleteDevices(db, pass.id, [deviceId]);
    },

    /** Deletes the requester's device, so that another one can use the pass. */
    async leave(request: FastifyRequest): Promise<number> {
      const token = tokenOf(request);
      return token === null ? 0 : repository.deleteDeviceByToken(db, hashOfToken(token));
    },

    forget,

    /**
     * Removes the cookies if the device was signed out or its pass was revoked, so that its pages no
     * longer show it as a member's. An expired pass may be extended.
     */
    async forgetEnded(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (readCookie(request.headers.cookie, passCookie) === null) return;
      const device = await findDevice(request);
      if (device === null || device.revokedAt !== null) forget(request, reply);
    },

    renewCookies,

    /** Records a use of the pass, and renews the cookies. */
    async noteUse(
      member: repository.MemberRow,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<void> {
      if (clock.now() - member.lastUsedAt.getTime() > usedEveryMs) {
        await repository.noteUse(db, member, clock.date());
      }
      renewCookies(request, reply, member.validUntil);
    },
  };
}

export type Membership = ReturnType<typeof createMembership>;
