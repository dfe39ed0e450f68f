import { expect, it } from "vitest";
import { contentSecurityPolicy } from "./security-headers.ts";

it("leaves out ad origins that could add a directive or a wildcard", () => {
  const hash = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
  const policy = contentSecurityPolicy({
    scriptSources: [hash],
    adOrigins: [
      "https://cdn.example:8443",
      "https://x.example;sandbox",
      "https://*.cdn.example",
      "https://*",
      "https://*.com",
      "https://x.example/path",
      "https://a.example https://b.example",
      "'unsafe-inline'",
      "data:",
    ],
    framedBy: "site",
  });
  const directives = policy.split("; ");
  expect(directives).toContain(
    `script-src 'self' ${hash} https://cdn.example:8443 https://*.cdn.example`,
  );
  expect(directives).toContain("frame-src 'self' https://cdn.example:8443 https://*.cdn.example");
  expect(directives).toHaveLength(13);
});
