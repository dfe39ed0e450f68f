import { isIPv6 } from "node:net";

/**
 * What limits count as one address: an IPv4 address, or the first 64 bits of an IPv6 address, since
 * one connection to the internet usually gets a whole /64.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  const plain = address.split("%")[0] ?? "";
  if (!isIPv6(plain)) return address;
  const [start = "", end] = plain.split("::");
  const groups = start === "" ? [] : start.split(":");
  if (end !== undefined) {
    const rest = end === "" ? [] : end.split(":");
    // An IPv4 address at the end takes the space of two groups.
    const restLength = rest.length + (end.includes(".") ? 1 : 0);
    while (groups.length + restLength < 8) groups.push("0");
    groups.push(...rest);
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
