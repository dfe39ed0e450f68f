import { BlockList, isIPv6, type Server, type Socket } from "node:net";
import { rawErrorResponse } from "../client-errors.ts";
import { networkOf } from "./network-address.ts";

/**
 * Maximum number of connections per address. Enough for an office, but it stops one client from
 * holding thousands.
 */
export const maxConnectionsPerAddress = 512;

/** @param trustProxy addresses or networks of proxies. Their connections carry all visitors. */
export function limitConnections(
  server: Pick<Server, "on">,
  trustProxy: readonly string[],
  max: number,
): void {
  const proxies = new BlockList();
  for (const entry of trustProxy) {
    const [address = "", bits] = entry.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  const open = new Map<string, number>();

  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return;
    if (proxies.check(remoteAddress, isIPv6(remoteAddress) ? "ipv6" : "ipv4")) return;
    const network = networkOf(remoteAddress);
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
    if (count <= max) return;
    socket.end(rawErrorResponse("rate_limited", "Too many connections from this address.", 5));
    socket.destroySoon();
  });
}
