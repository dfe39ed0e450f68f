import { expect, it } from "vitest";
import { emailAddress } from "./auth.ts";

it.each([
  ["someone@example.com", true],
  ["x@xn--e1afmkfd.xn--p1ai", true],
  ["admin@localhost", true],
  ["m&m@corp.com", true],
  ["o'neil+news@mail.example.co.uk", true],
  ["no-address", false],
  ["two@at@example.com", false],
  ["someone@example.com\nBcc: other@example.com", false],
  ["someone@-example.com", false],
  ["@example.com", false],
  [`${"x".repeat(250)}@a.com`, false],
])("accepts the same email addresses as browsers: %j", (address, isAccepted) => {
  expect(emailAddress.safeParse(address).success).toBe(isAccepted);
});
