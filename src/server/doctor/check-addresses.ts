import { z } from "zod";
import type { Finding } from "#contract/site/doctor.ts";
import type { Config } from "#server/config.ts";
import { checkListenAddress, siteAddress } from "#server/processes/listen-address.ts";
import { failure, ok, warning } from "./finding.ts";

const requestMs = 3000;
const health = z.object({ status: z.string() });

/** How an admin's request reached this process. */
export interface SeenRequest {
  /** Address of the machine that opened the connection. */
  peer: string;
  isPeerTrusted: boolean;
  isForwarded: boolean;
  /** Origin as the site sees it: `https://video.example`. */
  origin: string;
}

const isLocal = (hostname: string): boolean =>
  ["localhost", "127.0.0.1", "[::1]"].includes(hostname);

async function ask(url: string): Promise<{ isKinora: boolean; headers: Headers; text: string }> {
  const signal = AbortSignal.timeout(requestMs);
  const response = await fetch(url, { signal, redirect: "manual" });
  const text = await response.text();
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // Another program responded.
  }
  return { isKinora: health.safeParse(body).success, headers: response.headers, text };
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error && cause.message !== "" ? cause.message : message;
};

/** Checks that links, cookies and limits fit the way in which visitors reach the site. */
export async function checkAddresses(
  config: Config,
  settingsUrl: string | null,
  request: SeenRequest | null,
): Promise<Finding[]> {
  const url = settingsUrl ?? config.siteUrl;
  const { protocol, hostname } = new URL(url);
  const findings = [await checkSiteUrl(url)];
  if (request !== null) findings.push(checkRequest(request, url));
  else if (protocol === "https:" && config.trustProxy.length === 0) {
    const advice =
      "Set TRUST_PROXY to the proxy's address. Otherwise all visitors share one rate limit.";
    findings.push(warning("proxy", "the site URL is https, but no proxy is trusted", advice));
  } else if (protocol === "https:" && !isLocal(hostname)) {
    const seen = await ask(`${url}/healthz`).catch(() => null);
    if (seen?.isKinora === true && !seen.headers.has("strict-transport-security")) {
      findings.push(
        warning(
          "proxy",
          "requests from the proxy don't count as https",
          "Set TRUST_PROXY to the proxy's address, and have the proxy send X-Forwarded-Proto.",
        ),
      );
    }
  }
  return findings;
}

async function checkSiteUrl(url: string): Promise<Finding> {
  const { protocol, hostname } = new URL(url);
  if (isLocal(hostname)) {
    const advice = "Set SITE_URL, or the site URL in Settings, to the public address.";
    return warning("address", `${url} only works on this machine`, advice);
  }
  if (protocol === "http:") {
    const advice = "Put a proxy with TLS in front. Passwords and cookies are sent unencrypted.";
    return warning("address", `${url} is not encrypted`, advice);
  }
  try {
    const { isKinora } = await ask(`${url}/healthz`);
    if (isKinora) return ok("address", `${url} leads to this site`);
    const advice = "Configure the proxy at this address to pass all requests to Kinora.";
    return warning("address", `another program responds at ${url}`, advice);
  } catch (error) {
    const advice = "Check the DNS entry, the certificate and the proxy of this address.";
    return warning("address", `${url} doesn't respond from here (${reasonOf(error)})`, advice);
  }
}

/** Checks the proxy that this admin's request came through. */
export function checkRequest(request: SeenRequest, siteUrl: string): Finding {
  const { peer, isPeerTrusted, isForwarded, origin } = request;
  if (isForwarded && !isPeerTrusted) {
    return warning(
      "proxy",
      `the proxy at ${peer} isn't trusted`,
      `Set TRUST_PROXY=${peer}. Otherwise all visitors share one rate limit.`,
    );
  }
  if (origin !== siteUrl && !isLocal(new URL(siteUrl).hostname)) {
    return warning(
      "proxy",
      `you opened ${origin}, but links use ${siteUrl}`,
      `Open ${siteUrl}. If you did, have the proxy send Host, X-Forwarded-Host and X-Forwarded-Proto.`,
    );
  }
  return ok("proxy", isForwarded ? `${peer} is trusted` : "no proxy in front");
}

/** Checks whether the site responds on this machine. A stopped site isn't a failure. */
export async function checkPort(config: Config): Promise<Finding[]> {
  const { host, port, role } = config;
  if (role === "worker") return [];
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const url = `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
  const seen = await ask(`${url}/readyz`).catch(() => null);
  if (seen === null) {
    try {
      await checkListenAddress(siteAddress(config));
      return [ok("port", `${port} is free, and the site isn't running`)];
    } catch (error) {
      return [failure("port", reasonOf(error), "Stop that program, or change PORT or HOST.")];
    }
  }
  if (!seen.isKinora) {
    const says = `another program responds at ${url}`;
    return [failure("port", says, "Stop that program, or change PORT.")];
  }
  const isReady = seen.text.includes('"status":"ok"');
  return isReady
    ? [ok("port", `the site responds on port ${port} and is ready`)]
    : [failure("port", `the site is not ready: ${seen.text}`, "See the log for details.")];
}
