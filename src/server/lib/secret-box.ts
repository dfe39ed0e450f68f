import {
  createCipheriv,
  createDecipheriv,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from "node:crypto";

const nonceBytes = 12;
const tagBytes = 16;

/**
 * @param secret the site's secret.
 * @param operatorKeys additional keys of the operator: the first one seals, all of them open.
 */
export function createSecretBox(secret: KeyObject, operatorKeys: readonly (string | null)[]) {
  const keys = operatorKeys.map((key) => {
    const material = Buffer.concat([secret.export(), Buffer.from(key ?? "")]);
    return Buffer.from(hkdfSync("sha256", material, "", "kinora sealed secrets", 32));
  });
  const [current = Buffer.alloc(0)] = keys;
  return {
    /** @param owner owner of the secret. Only the same owner can open it. */
    seal(plain: Uint8Array, owner: string): Buffer {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", current, nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]);
    },

    /**
     * Returns null if no key opens the secret. `isCurrent` is true if it was sealed with the
     * current key.
     */
    open(sealed: Uint8Array, owner: string): { plain: Buffer; isCurrent: boolean } | null {
      const bytes = Buffer.from(sealed);
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
      if (tag.length < tagBytes) return null;
      for (const key of keys) {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes));
        decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
        try {
          const text = decipher.update(bytes.subarray(nonceBytes + tagBytes));
          return { plain: Buffer.concat([text, decipher.final()]), isCurrent: key === current };
        } catch {
          // Another key, another owner, or changed bytes.
        }
      }
      return null;
    },
  };
}

/** Encrypts small secrets for the database with AES-256-GCM: nonce, tag, ciphertext. */
export type SecretBox = ReturnType<typeof createSecretBox>;
