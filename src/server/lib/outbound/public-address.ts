import { BlockList, isIP } from "node:net";

/** IPv4 networks outside the public internet (IANA special-purpose registry). */
const special4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;

/** The same kind of networks inside 2000::/3, the only global unicast space of IPv6. */
const special6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  // 6to4 contains an IPv4 address, and a relay would connect to it.
  ["2002::", 16],
  ["3fff::", 20],
] as const;

const blocked4 = new BlockList();
for (const [network, bits] of special4) blocked4.addSubnet(network, bits, "ipv4");
const blocked6 = new BlockList();
for (const [network, bits] of special6) blocked6.addSubnet(network, bits, "ipv6");
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");

/**
 * Returns whether an IP address belongs to the public internet: not private, loopback or
 * link-local.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !blocked4.check(address, "ipv4");
  if (family !== 6) return false;
  return global6.check(address, "ipv6") && !blocked6.check(address, "ipv6");
}
