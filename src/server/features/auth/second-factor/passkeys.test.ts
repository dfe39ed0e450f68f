import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createClient, useTestApp } from "#test/app.ts";
import { makeUser, testPassword } from "#test/factories/make-user.ts";
import { countLockWaits } from "#test/harness/lock-waits.ts";

const site = "https://video.example";

const app = useTestApp({ env: { SITE_URL: site } });

type Client = ReturnType<typeof createClient>;
const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();

interface Says {
  origin?: string;
  rpId?: string;
  crossOrigin?: boolean;
  userHandle?: string | undefined;
}

/** Creates a software authenticator with one ES256 key. */
function createAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  let counter = 0;
  const clientDataOf = (type: string, challenge: string, says: Says) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge,
        origin: says.origin ?? site,
        crossOrigin: says.crossOrigin ?? false,
      }),
    );
  const headOf = (flags: number, says: Says) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE((counter += 1));
    return Buffer.concat([
      sha256(says.rpId ?? new URL(site).hostname),
      Buffer.from([flags]),
      count,
    ]);
  };
  const ids = {
    id: id.toString("base64url"),
    rawId: id.toString("base64url"),
    type: "public-key",
    clientExtensionResults: {},
  };
  return {
    create(challenge: string, says: Says = {}) {
      const point = (text: string) => Buffer.from(text, "base64url");
      const key = Buffer.concat([
        Buffer.from("a5010203262001215820", "hex"),
        point(x),
        Buffer.from("225820", "hex"),
        point(y),
      ]);
      const authData = Buffer.concat([
        headOf(0x45, says),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        key,
      ]);
      const attestation = Buffer.concat([
        Buffer.from([0xa3, 0x63]),
        Buffer.from("fmt"),
        Buffer.from([0x64]),
        Buffer.from("none"),
        Buffer.from([0x67]),
        Buffer.from("attStmt"),
        Buffer.from([0xa0, 0x68]),
        Buffer.from("authData"),
        Buffer.from([0x58, authData.length]),
        authData,
      ]);
      return {
        ...ids,
        response: {
          clientDataJSON: clientDataOf("webauthn.create", challenge, says).toString("base64url"),
          attestationObject: attestation.toString("base64url"),
        },
      };
    },
    get(challenge: string, says: Says = {}) {
      const clientData = clientDataOf("webauthn.get", challenge, says);
      const authData = headOf(0x05, says);
      const signed = Buffer.concat([authData, sha256(clientData)]);
      return {
        ...ids,
        response: {
          clientDataJSON: clientData.toString("base64url"),
          authenticatorData: authData.toString("base64url"),
          signature: sign("sha256", signed, privateKey).toString("base64url"),
          ...(says.userHandle === undefined ? {} : { userHandle: says.userHandle }),
        },
      };
    },
  };
}

async function signedIn() {
  const { id, email } = await makeUser(app.db);
  const client = createClient(app.url);
  await client.call("POST", "/api/auth/signin", { email, password: testPassword });
  return { id, client, handle: Buffer.from(id).toString("base64url") };
}
const challengeFrom = async (client: Client, path: string) => {
  const { json } = await client.call("POST", path);
  return { challenge: String(json.options.challenge), options: json.options };
};
const add = (client: Client, response: unknown) =>
  client.call("POST", "/api/account/passkeys", { name: "Phone", response });

async function withPasskey() {
  const user = await signedIn();
  const authenticator = createAuthenticator();
  const { challenge } = await challengeFrom(user.client, "/api/account/passkeys/options");
  expect((await add(user.client, authenticator.create(challenge))).status).toBe(201);
  return { ...user, authenticator };
}

describe("adding a passkey", () => {
  it("takes the host name from SITE_URL, never from the Host header", async () => {
    const { client } = await signedIn();
    const { json } = await client.call("POST", "/api/account/passkeys/options");
    expect(json.options.rp.id).toBe("video.example");
    const authenticator = createAuthenticator();
    for (const says of [
      { origin: app.url },
      { origin: "https://evil.example" },
      { rpId: "evil" },
    ]) {
      const response = authenticator.create(json.options.challenge, says);
      expect({ says, status: (await add(client, response)).status }).toEqual({ says, status: 400 });
    }
  });

  it("accepts a challenge only once", async () => {
    const { client } = await signedIn();
    const { challenge } = await challengeFrom(client, "/api/account/passkeys/options");
    expect((await add(client, createAuthenticator().create(challenge))).status).toBe(201);
    expect((await add(client, createAuthenticator().create(challenge))).status).toBe(400);
  });

  it("refuses a ceremony in a page of another origin", async () => {
    const { client } = await signedIn();
    const { challenge } = await challengeFrom(client, "/api/account/passkeys/options");
    const response = createAuthenticator().create(challenge, { crossOrigin: true });
    expect((await add(client, response)).status).toBe(400);
  });
});

describe("signing in with a passkey", () => {
  const signInWith = (response: unknown) =>
    createClient(app.url).call("POST", "/api/auth/passkey", { response });
  const begin = () => challengeFrom(createClient(app.url), "/api/auth/passkey/options");

  it("checks the user handle and refuses a ceremony in a page of another origin", async () => {
    const { authenticator, handle } = await withPasskey();
    const other = await signedIn();
    const { challenge } = await begin();
    const refused = [
      {},
      { userHandle: other.handle },
      { userHandle: handle, crossOrigin: true },
      { userHandle: handle, origin: app.url },
    ];
    for (const says of refused) {
      const { status } = await signInWith(authenticator.get(challenge, says));
      expect({ says, status }).toEqual({ says, status: 401 });
    }
    const says = { userHandle: handle };
    expect((await signInWith(authenticator.get(challenge, says))).status).toBe(200);
    expect((await signInWith(authenticator.get(challenge, says))).status).toBe(401);
  });
});

describe("removing a passkey", () => {
  it("ends a sign-in that is using it", async () => {
    const { id, authenticator, handle } = await withPasskey();
    const { challenge } = await challengeFrom(createClient(app.url), "/api/auth/passkey/options");
    const response = authenticator.get(challenge, { userHandle: handle });
    const client = createClient(app.url);
    const attempts: ReturnType<typeof client.call>[] = [];
    await app.db.transaction().execute(async (trx) => {
      await trx.deleteFrom("passkeys").where("user_id", "=", id).execute();
      attempts.push(client.call("POST", "/api/auth/passkey", { response }));
      await expect.poll(() => countLockWaits(app.db)).toBe(1);
    });
    expect((await attempts[0])?.status).toBe(401);
  });
});

describe("confirming a change with a passkey", () => {
  it("confirms this session with a challenge for this user only", async () => {
    const { client, authenticator, handle } = await withPasskey();
    const stranger = await withPasskey();
    await app.db
      .updateTable("sessions")
      .set({ confirmed_at: new Date(Date.now() - 3600_000) })
      .execute();
    const change = async () =>
      (await client.call("POST", "/api/account/recovery-codes")).json.code ?? "done";
    const confirm = (response: unknown) =>
      client.call("POST", "/api/account/confirm", { response });
    expect(await change()).toBe("confirmation_required");
    const path = "/api/account/confirm/passkey";
    const { challenge, options } = await challengeFrom(client, path);
    expect(options.allowCredentials).toHaveLength(1);
    const foreign = await challengeFrom(stranger.client, path);
    const says = { userHandle: handle };
    expect((await confirm(authenticator.get(foreign.challenge, says))).status).toBe(400);
    expect((await confirm(stranger.authenticator.get(challenge))).status).toBe(400);
    expect(await change()).toBe("confirmation_required");
    expect((await confirm(authenticator.get(challenge, says))).status).toBe(204);
    expect(await change()).toBe("done");
    expect((await confirm(authenticator.get(challenge, says))).status).toBe(400);
  });
});
