import { lookup as dnsLookup, type LookupAddress } from "node:dns";
import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";

export interface GuardOptions {
  /** Returns whether an address may be contacted. By default that is the public internet. */
  isAllowed?: (address: string) => boolean;
  resolve?: (
    hostname: string,
    callback: (error: Error | null, addresses: LookupAddress[]) => void,
  ) => void;
}

/** Some servers, such as upload.wikimedia.org, refuse requests without it. */
const userAgent = "Kinora";

/** Address that must not be called. */
export class Refused extends Error {}

interface OutboundRequest {
  headers: Record<string, string>;
  signal: AbortSignal;
  method?: "GET" | "POST";
  body?: string;
}

/**
 * Creates a function that sends requests to addresses entered by a user. Resolves the name once,
 * checks all its addresses and connects to a checked one, so DNS rebinding has no effect. Doesn't
 * follow redirects. Rejects with `Refused` before connecting. Its method `check` only does the
 * checks, for previews.
 */
export function createGuardedRequest(options: GuardOptions = {}) {
  const {
    isAllowed = isPublicAddress,
    resolve = (hostname, callback) => dnsLookup(hostname, { all: true }, callback),
  } = options;

  const lookup: RequestOptions["lookup"] = (hostname, lookupOptions, callback) => {
    resolve(hostname, (error, addresses) => {
      if (error !== null) return callback(error, "", 0);
      const first = addresses[0];
      if (first === undefined || !addresses.every(({ address }) => isAllowed(address))) {
        return callback(new Refused("The name resolves to an address that isn't public"), "", 0);
      }
      if (lookupOptions.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };

  /** @throws Refused for an address that needs no look-up to be refused. */
  function requireFetchable(url: URL | null): asserts url is URL {
    const isFetchable =
      url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
    if (!isFetchable) throw new Refused("not an http or https address");
    const hostname = hostOf(url);
    // These names are this machine, whatever its resolver knows (RFC 6761, 6.3).
    const address = /(^|\.)localhost\.?$/.test(hostname) ? "127.0.0.1" : hostname;
    if (isIP(address) !== 0 && !isAllowed(address)) throw new Refused("not public");
  }

  const request = (url: URL | null, { body, headers: given, ...about }: OutboundRequest) =>
    new Promise<IncomingMessage>((done, fail) => {
      requireFetchable(url);
      const send = url.protocol === "https:" ? httpsRequest : httpRequest;
      const headers = { "user-agent": userAgent, ...given };
      // A new connection each time, because a pooled one was checked for a different name.
      const sent = send(url, { ...about, headers, lookup, agent: false });
      sent.on("response", done);
      sent.on("error", fail);
      sent.end(body);
    });

  /** Rejects with `Refused`, or with the error of the look-up. */
  const check = (url: URL | null) =>
    new Promise<void>((done, fail) => {
      requireFetchable(url);
      const hostname = hostOf(url);
      if (isIP(hostname) !== 0) return done();
      lookup(hostname, { all: true }, (error) => (error === null ? done() : fail(error)));
    });

  return Object.assign(request, { check });
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");

export type GuardedRequest = ReturnType<typeof createGuardedRequest>;
