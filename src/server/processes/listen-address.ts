import { once } from "node:events";
import { createServer } from "node:net";
import type { Config } from "#server/config.ts";
import { codeOf, OperatorError } from "#server/lib/app-error.ts";

/** Address to listen on, and the variables that set it. */
export interface ListenAddress {
  host: string;
  port: number;
  variables: { host: string; port: string };
}

/** Returns the site's address. */
export const siteAddress = ({ host, port }: Config): ListenAddress => ({
  host,
  port,
  variables: { host: "HOST", port: "PORT" },
});

/** Returns the address of metrics, or null if they are off. */
export const metricsAddress = ({
  metricsHost: host,
  metricsPort: port,
}: Config): ListenAddress | null =>
  port === null ? null : { host, port, variables: { host: "METRICS_HOST", port: "METRICS_PORT" } };

/** Time limit, because a resolver without a network may wait much longer for a host name. */
const timeoutMs = 3000;

/**
 * Listens for a moment, so that a start with an invalid address fails before it creates a database.
 * @throws OperatorError that contains the faulty variable.
 */
export async function checkListenAddress(address: ListenAddress): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host: address.host, port: address.port });
    await once(server, "listening", { signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    throw explainListenError(error, address);
  } finally {
    server.close();
  }
}

/**
 * Returns the error as one line for the operator if the address caused it. Otherwise returns the
 * error itself.
 */
export function explainListenError(error: unknown, address: ListenAddress): unknown {
  const { host, port, variables } = address;
  if (!(error instanceof Error)) return error;
  const code = codeOf(error);
  const options = { cause: error };
  if (code === "EADDRINUSE") {
    return new OperatorError(
      `${variables.port}: ${port} is in use by another program. Stop it, or set ${variables.port} to another port.`,
      options,
    );
  }
  if (code === "EACCES") {
    return new OperatorError(
      `${variables.port}: this user can't use port ${port}. Use one from 1024 to 65535.`,
      options,
    );
  }
  const isForeign = [
    "EADDRNOTAVAIL",
    "EAFNOSUPPORT",
    "EAI_AGAIN",
    "EINVAL",
    "ENOTFOUND",
    "ABORT_ERR",
  ].includes(String(code));
  if (!isForeign) return error;
  return new OperatorError(
    `${variables.host}: "${host}" isn't an address of this machine. Use one of its addresses, or 0.0.0.0 for all.`,
    options,
  );
}
