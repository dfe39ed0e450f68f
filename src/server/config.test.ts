import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";

describe("readConfig", () => {
  it("has defaults", () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: "0.0.0.0",
      databaseUrl: null,
      s3: null,
      admin: null,
      siteUrl: "http://localhost:3000",
      trustProxy: [],
      role: "all",
      maxUploadBytes: 524_288_000,
    });
    expect(readConfig({ NODE_ENV: "development" }).host).toBe("127.0.0.1");
    expect(readConfig({}).dataDir).toMatch(/\/data$/);
  });

  it("reads values and treats empty ones as unset", () => {
    const config = readConfig({
      PORT: "8080",
      HOST: "::1",
      SITE_URL: "https://video.example/",
      TRUST_PROXY: "127.0.0.1, 10.0.0.0/8,::1",
      ROLE: "worker",
      DATABASE_URL: "",
      ADMIN_EMAIL: "a@example.com",
      ADMIN_PASSWORD: "long enough",
    });
    expect(config).toMatchObject({
      port: 8080,
      siteUrl: "https://video.example",
      trustProxy: ["127.0.0.1", "10.0.0.0/8", "::1"],
      role: "worker",
      databaseUrl: null,
      admin: { email: "a@example.com", password: "long enough" },
    });
  });

  const wrong: [Record<string, string>, RegExp][] = [
    [{ PORT: "http" }, /^PORT: "http" is not accepted; give a whole number from 0 to 65535\.$/],
    [{ PORT: "70000" }, /^PORT: /],
    [{ PORT: "-1" }, /^PORT: /],
    [{ ROLE: "boss" }, /^ROLE: "boss" is not accepted; give one of all, web, worker\.$/],
    [{ SITE_URL: "video.example" }, /^SITE_URL: /],
    [{ TRUST_PROXY: "everybody" }, /^TRUST_PROXY: /],
    [{ TRUST_PROXY: "10.0.0.0/64" }, /^TRUST_PROXY: /],
    [{ DATABASE_URL: "mysql://x" }, /^DATABASE_URL: what was given is not accepted/],
    [{ MAX_UPLOAD_BYTES: "500MB" }, /^MAX_UPLOAD_BYTES: /],
    [{ ADMIN_EMAIL: "a@example.com" }, /^ADMIN_PASSWORD: /],
    [{ ADMIN_PASSWORD: "long enough" }, /^ADMIN_EMAIL: /],
    [{ ADMIN_EMAIL: "a@example.com", ADMIN_PASSWORD: "short" }, /^ADMIN_PASSWORD: what was given/],
    [{ ADMIN_EMAIL: "no-address", ADMIN_PASSWORD: "long enough" }, /^ADMIN_EMAIL: "no-address"/],
    [{ S3_ENDPOINT: "https://s3.example" }, /^S3_BUCKET: nothing was given/],
    [{ S3_BUCKET: "UPPER" }, /^S3_BUCKET: /],
    [{ LOG_LEVEL: "loud" }, /^LOG_LEVEL: /],
  ];
  it.each(wrong)("refuses %j in one line that names the variable", (env, message) => {
    const read = () => readConfig(env);
    expect(read).toThrow(message);
    try {
      read();
    } catch (error) {
      expect(String(error)).not.toContain("\n");
      expect(String(error)).not.toContain("short");
    }
  });
});
