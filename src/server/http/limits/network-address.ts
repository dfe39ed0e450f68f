import { isIPv6 } from "node:net";

/**
 * Returns the network that limits count as one address: an IPv4 address, or the first 64 bits of an
 * IPv6 address, because one internet connection usually gets a whole /64.
 */
export function networkOf(address: string): string {
  const groups = ipv6Groups(address);
  return groups === null ? plainIpv4(address) : `${groups.slice(0, 4).join(":")}::/64`;
}

/**
 * Returns the address group that a single party often owns: 256 IPv4 addresses, or the first 48
 * bits of an IPv6 address. For limits that must also stop a client with many addresses.
 */
export function toAddressGroup(address: string): string {
  const groups = ipv6Groups(address);
  if (groups !== null) return `${groups.slice(0, 3).join(":")}::/48`;
  const plain = plainIpv4(address);
  return `${plain.slice(0, plain.lastIndexOf("."))}.0/24`;
}

/**
 * Removes ports, and brackets around IPv6 addresses, from the value of `X-Forwarded-For`. Some
 * proxies add them, such as Azure's.
 */
export const withoutPorts = (forwardedFor: string): string =>
  forwardedFor
    .split(",")
    .map((entry) => entry.trim().replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, "$1$2"))
    .join(", ");

const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const plainIpv4 = (address: string) => mappedIpv4.exec(address)?.[1] ?? address;

/** Returns the groups of an IPv6 address without leading zeros; null for an IPv4 address. */
function ipv6Groups(address: string): string[] | null {
  const plain = address.split("%")[0] ?? "";
  if (mappedIpv4.test(address) || !isIPv6(plain)) return null;
  const [start = "", end] = plain.split("::");
  const groups = start === "" ? [] : start.split(":");
  if (end !== undefined) {
    const rest = end === "" ? [] : end.split(":");
    // A trailing IPv4 address takes the space of two groups.
    const restLength = rest.length + (end.includes(".") ? 1 : 0);
    while (groups.length + restLength < 8) groups.push("0");
    groups.push(...rest);
  }
  return groups.map((group) => Number.parseInt(group, 16).toString(16));
}
