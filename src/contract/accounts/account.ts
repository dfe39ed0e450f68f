import { z } from "zod";
import { nameText, optionalNameText } from "../lists/names.input.ts";
import { emailAddress, passwordRule } from "./auth.ts";
import { accountRoles } from "./policy.ts";

/** Passkey of the signed-in user. */
const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});
export type Passkey = z.infer<typeof passkey>;

export const account = z.object({
  email: z.string(),
  name: z.string(),
  role: z.enum(accountRoles),
  /** True if sign-in requires codes of an app. */
  hasTotp: z.boolean(),
  passkeys: z.array(passkey),
  recoveryCodesLeft: z.number().int(),
  /** True if the back office requires a second factor. */
  isSecondFactorRequired: z.boolean(),
});
export type Account = z.infer<typeof account>;

export const accountPatch = z.object({
  name: optionalNameText(100),
});

/** New page token, for a back-office page whose session was replaced. */
export const renewedPageToken = z.object({ token: z.string() });

/** Ticket for requests without headers (`page-token.ts`). */
export const boughtTicket = z.object({ ticket: z.string() });

export const emailBody = z.object({
  email: emailAddress,
});

/** Data for setting up an authenticator app. `uri` is the content of the QR code. */
export const totpSecret = z.object({ secret: z.string(), uri: z.string() });
export type TotpSecret = z.infer<typeof totpSecret>;

/** Six digits from an authenticator app, or a recovery code. */
export const codeBody = z.object({ code: z.string().trim().min(1).max(100) });

/** Shown once. Empty if the account already had codes. */
export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof recoveryCodes>;

/** Options and responses of WebAuthn, in the JSON form of its specification. */
export const passkeyOptions = z.object({ options: z.unknown() });
const passkeyBase64 = z.string().max(12_000);
const passkeyId = z.string().min(1).max(1400);
const passkeyHead = {
  id: passkeyId,
  rawId: passkeyId,
  type: z.literal("public-key"),
  clientExtensionResults: z.object({}).default({}),
};
/** Response of an authenticator to a sign-in. */
export const passkeyBody = z.object({
  response: z.object({
    ...passkeyHead,
    response: z.object({
      clientDataJSON: passkeyBase64,
      authenticatorData: passkeyBase64,
      signature: passkeyBase64,
      userHandle: passkeyBase64.optional(),
    }),
  }),
});
export type PasskeyAssertion = z.infer<typeof passkeyBody>["response"];

/** Password, or response of a passkey, for a call that requires confirmation. */
export const confirmBody = z
  .object({
    password: z.string().min(1, "Enter your password").max(1000).optional(),
    response: passkeyBody.shape.response.optional(),
  })
  .refine(({ password, response }) => (password === undefined) !== (response === undefined), {
    error: "Enter your password or use a passkey",
  });
/** Response of an authenticator that has created a passkey. */
export const newPasskeyBody = z.object({
  name: nameText(100, "Enter a name", "The name can have at most 100 characters"),
  response: z.object({
    ...passkeyHead,
    response: z.object({
      clientDataJSON: passkeyBase64,
      attestationObject: passkeyBase64,
      transports: z.array(z.string().max(30)).max(10).optional(),
    }),
  }),
});
export type NewPasskey = z.infer<typeof newPasskeyBody>;

export const forgotBody = z.object({ email: z.string().trim().max(254) });
export const resetBody = z.object({
  token: z.string().min(1).max(200),
  password: passwordRule,
});

export const accessRules = z.object({ isSecondFactorRequired: z.boolean() });
