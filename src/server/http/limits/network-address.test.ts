import { expect, it } from "vitest";
import { networkOf, withoutPorts } from "./network-address.ts";

it("counts an IPv4 address on its own, mapped or not", () => {
  expect(networkOf("203.0.113.7")).toBe("203.0.113.7");
  expect(networkOf("::ffff:203.0.113.7")).toBe("203.0.113.7");
});

it("counts all IPv6 addresses in a /64 as one, in any notation", () => {
  const network = "2001:db8:0:1::/64";
  for (const address of [
    "2001:db8:0:1::1",
    "2001:0db8:0000:0001:ffff:ffff:ffff:ffff",
    "2001:DB8::1:0:0:0:9",
    "2001:db8:0:1::203.0.113.7",
  ]) {
    expect(networkOf(address)).toBe(network);
  }
  expect(networkOf("2001:db8:0:2::1")).not.toBe(network);
  expect(networkOf("::1")).toBe("0:0:0:0::/64");
  expect(networkOf("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
});

it.each([
  ["203.0.113.7:51234", "203.0.113.7"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["[2001:db8::1],203.0.113.7:1 , 10.0.0.1", "2001:db8::1, 203.0.113.7, 10.0.0.1"],
  ["2001:db8::1, ::1, 203.0.113.7, unknown", "2001:db8::1, ::1, 203.0.113.7, unknown"],
  ["::ffff:203.0.113.7", "::ffff:203.0.113.7"],
  ["2001:db8::7:8080", "2001:db8::7:8080"],
])("removes the ports from X-Forwarded-For: %s", (sent, read) => {
  expect(withoutPorts(sent)).toBe(read);
});
