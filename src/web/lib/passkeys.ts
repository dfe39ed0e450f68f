import {
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";

// The server's library creates the options and checks the response.

export const createPasskey = (options: unknown): Promise<unknown> =>
  startRegistration({
    optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
  });

export const getPasskey = (options: unknown): Promise<unknown> =>
  startAuthentication({
    optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
  });
