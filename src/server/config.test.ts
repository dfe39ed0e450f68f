import { describe, expect, it } from "vitest";
import { defaultMediaConcurrency, defaultWebProcesses, readConfig } from "./config.ts";

describe("readConfig", () => {
  it("returns the defaults", () => {
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

  it("starts a web process per core on machines with more than two, if memory allows", () => {
    const gigabyte = 1024 ** 3;
    const counts = [1, 2, 3, 4, 8, 64].map((cores) => defaultWebProcesses(cores, 32 * gigabyte));
    expect(counts).toEqual([1, 1, 3, 4, 8, 8]);
    expect(defaultWebProcesses(8, 1.9 * gigabyte)).toBe(2);
    expect(defaultWebProcesses(8, gigabyte / 2)).toBe(1);
  });

  it("encodes one video of each kind at once for every four cores", () => {
    expect([1, 2, 7, 8, 64].map(defaultMediaConcurrency)).toEqual([1, 1, 1, 2, 4]);
    expect(readConfig({ MEDIA_CONCURRENCY: "3" }).mediaConcurrency).toBe(3);
  });

  it("runs a single process for jobs, in development and for a random port", () => {
    expect(readConfig({ WEB_PROCESSES: "4" }).webProcesses).toBe(4);
    expect(readConfig({ WEB_PROCESSES: "4", ROLE: "worker" }).webProcesses).toBe(1);
    expect(readConfig({ WEB_PROCESSES: "4", NODE_ENV: "development" }).webProcesses).toBe(1);
    expect(readConfig({ WEB_PROCESSES: "4", PORT: "0" }).webProcesses).toBe(1);
  });

  it.each(["MyVideos", "my_videos", "my.videos-2"])("accepts the bucket %s in paths", (bucket) => {
    const { s3 } = readConfig({
      S3_ENDPOINT: "https://s3.example",
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: "id",
      S3_SECRET_ACCESS_KEY: "secret",
    });
    expect(s3).toMatchObject({ bucket, isPathStyle: true });
  });

  const wrong: [Record<string, string>, RegExp][] = [
    [{ PORT: "http" }, /^PORT: "http" isn't valid. Use a whole number from 0 to 65535\.$/],
    [{ PORT: "70000" }, /^PORT: /],
    [{ PORT: "-1" }, /^PORT: /],
    [{ ROLE: "boss" }, /^ROLE: "boss" isn't valid. Use one of all, web, worker\.$/],
    [{ SITE_URL: "video.example" }, /^SITE_URL: /],
    [{ TRUST_PROXY: "everybody" }, /^TRUST_PROXY: /],
    [{ TRUST_PROXY: "10.0.0.0/64" }, /^TRUST_PROXY: /],
    [{ TRUST_PROXY: "0.0.0.0/0" }, /^TRUST_PROXY: "0.0.0.0\/0" .*10.0.0.0\/8.*not all addresses/],
    [{ TRUST_PROXY: "10.0.0.1,::/0" }, /^TRUST_PROXY: /],
    [{ DATABASE_URL: "mysql://x" }, /^DATABASE_URL: the value isn't valid/],
    [{ MAX_UPLOAD_BYTES: "500MB" }, /^MAX_UPLOAD_BYTES: /],
    [{ IMPORT_DIR: "in" }, /^IMPORT_DIR: "in" isn't valid. Use an absolute path\.$/],
    [{ ADMIN_EMAIL: "a@example.com" }, /^ADMIN_PASSWORD: /],
    [{ ADMIN_PASSWORD: "long enough" }, /^ADMIN_EMAIL: /],
    [{ ADMIN_EMAIL: "a@example.com", ADMIN_PASSWORD: "short" }, /^ADMIN_PASSWORD: the value/],
    [{ ADMIN_EMAIL: "no-address", ADMIN_PASSWORD: "long enough" }, /^ADMIN_EMAIL: "no-address"/],
    [{ S3_ENDPOINT: "https://s3.example" }, /^S3_BUCKET: not set/],
    [{ S3_BUCKET: "my/videos" }, /^S3_BUCKET: "my\/videos" isn't valid. Use a bucket name\.$/],
    [{ S3_BUCKET: "MyVideos", S3_PATH_STYLE: "0" }, /^S3_BUCKET: "MyVideos" .*lower-case letters/],
    [{ WEB_PROCESSES: "9" }, /^WEB_PROCESSES: "9" .* from 1 to 8\.$/],
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
