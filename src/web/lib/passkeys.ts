import {
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";

// The options are those that the library of the server made; it checks what comes back.

export const createPasskey = (options: unknown): Promise<unknown> =>
  startRegistration({
    optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
  });

export const getPasskey = (options: unknown): Promise<unknown> =>
  startAuthentication({
    optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
  });
