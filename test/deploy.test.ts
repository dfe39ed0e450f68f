import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import serverEnv from "../setup/process/server-env.json" with { type: "json" };
import { readConfig } from "#server/config.ts";
import { readImageEnv } from "./harness/image-env.ts";
import { root } from "./harness/server-process.ts";

const deploy = join(root, "deploy");
const read = (path: string) => readFileSync(join(deploy, path), "utf8");
const folder = mkdtempSync(join(tmpdir(), "kinora-deploy-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Parses the documents in a file and resolves merge keys. */
function parse(path: string): unknown[] {
  return parseAllDocuments(read(path), { merge: true, strict: true }).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as unknown;
  });
}

const environment = z.record(z.string(), z.string());
const compose = z
  .object({
    services: z.record(
      z.string(),
      z.object({
        entrypoint: z.array(z.string()).optional(),
        command: z.array(z.string()).optional(),
        depends_on: z
          .union([z.array(z.string()), z.record(z.string(), z.object({ condition: z.string() }))])
          .optional(),
        environment: environment.optional(),
        healthcheck: z.object({ test: z.array(z.string()) }).optional(),
        networks: z.record(z.string(), z.object({ ipv4_address: z.string().optional() })),
        read_only: z.boolean().optional(),
        volumes: z.array(z.string()).default([]),
      }),
    ),
    volumes: z.record(z.string(), z.unknown()),
    networks: z.object({
      kinora: z.object({ ipam: z.object({ config: z.tuple([z.object({ subnet: z.string() })]) }) }),
    }),
  })
  .parse(parse("compose/compose.yaml")[0]);
const nodes = ["web-1", "web-2", "worker", "migrate"];

const container = z.object({
  image: z.string(),
  args: z.array(z.string()).optional(),
  // It would replace tini, as would `entrypoint` in compose.
  command: z.never().optional(),
  envFrom: z.array(z.unknown()),
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  securityContext: z.object({ readOnlyRootFilesystem: z.literal(true) }),
  volumeMounts: z.array(z.object({ mountPath: z.string() })),
});
const resource = z.object({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.object({ name: z.string(), annotations: environment.optional() }),
  data: environment.optional(),
  stringData: environment.optional(),
  spec: z
    .object({
      selector: z.unknown().optional(),
      template: z
        .object({
          metadata: z.object({ labels: environment }),
          spec: z.object({
            securityContext: z.object({
              runAsNonRoot: z.literal(true),
              // The sandbox of ffmpeg needs both.
              seccompProfile: z.object({ type: z.literal("Unconfined") }),
              appArmorProfile: z.object({ type: z.literal("Unconfined") }),
            }),
            initContainers: z.array(container).optional(),
            containers: z.array(
              container.extend({ ports: z.array(z.object({ name: z.string() })) }),
            ),
          }),
        })
        .optional(),
    })
    .optional(),
});
const resources = parse("kubernetes/kinora.yaml").map((document) => resource.parse(document));
const ofKind = (kind: string) => resources.filter((one) => one.kind === kind);

/** Kinora's variables, by the file and the service that set them. */
const settings: [who: string, variables: Record<string, string>][] = [
  ...nodes.map((name): [string, Record<string, string>] => [
    `compose: ${name}`,
    compose.services[name]?.environment ?? {},
  ]),
  ...ofKind("Deployment").map(({ metadata, spec }): [string, Record<string, string>] => [
    `kubernetes: ${metadata.name}`,
    {
      ...ofKind("ConfigMap")[0]?.data,
      ...ofKind("Secret")[0]?.stringData,
      ...Object.fromEntries(
        (spec?.template?.spec.containers[0]?.env ?? []).map(({ name, value }) => [name, value]),
      ),
    },
  ]),
  ...readdirSync(join(deploy, "systemd"))
    .filter((name) => name.endsWith(".service"))
    .map((name): [string, Record<string, string>] => [
      `systemd: ${name}`,
      Object.fromEntries(
        Array.from(read(`systemd/${name}`).matchAll(/^Environment=(.*)$/gm), ([, line = ""]) =>
          line.split(" ").map((pair) => pair.split("=")),
        ).flat(),
      ),
    ]),
];

test.each(settings)("sets only variables in %s that the program accepts", (_who, variables) => {
  const operating = readFileSync(join(root, "docs/operating/configuring.md"), "utf8");
  expect(Object.keys(variables)).not.toEqual([]);
  const unknown = Object.keys(variables).filter((name) => !operating.includes(`\`${name}\``));
  expect(unknown).toEqual([]);
  const given = Object.fromEntries(
    // Uses values from the example of .env.
    Object.entries(variables).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+)-?\}/g, (_all, key: string) => examples[key] ?? `missing-${key}`),
    ]),
  );
  expect(() => readConfig(given)).not.toThrow();
});
const examples: Record<string, string> = Object.fromEntries(
  Array.from(read("compose/example.env").matchAll(/^(\w+)='(.*)'$/gm), ([, key, value]) => [
    key,
    value,
  ]),
);

test.each([
  ["compose", compose.services["web-1"]?.environment],
  ["kubernetes", ofKind("Secret")[0]?.stringData],
])("shows the key that seals secrets and the mail server: %s", (_file, variables) => {
  expect(Object.keys(variables ?? {})).toEqual(
    expect.arrayContaining(["SECRETS_KEY", "SMTP_URL", "MAIL_FROM"]),
  );
});

test("quotes every value of compose's example.env", () => {
  // Compose replaces variables in values without single quotes.
  const lines = read("compose/example.env").match(/^\w.*$/gm) ?? [];
  expect(lines).toHaveLength(Object.keys(examples).length);
});

test("takes any character in the database password of compose", () => {
  const password = "p@ss/w:rd#?%25&=";
  const given = Object.fromEntries(
    Object.entries(compose.services["web-1"]?.environment ?? {}).map(([name, value]) => [
      name,
      value.replace("${DATABASE_PASSWORD}", password),
    ]),
  );
  expect(given["PGPASSWORD"]).toBe(password);
  vi.stubEnv("PGPASSWORD", given["PGPASSWORD"]);
  const client = new Client({ connectionString: given["DATABASE_URL"] });
  expect(client).toMatchObject({
    host: "database",
    port: 5432,
    user: "kinora",
    database: "kinora",
    password,
  });
  vi.unstubAllEnvs();
});

test("names the same nodes in compose and nginx, and trusts only that nginx", () => {
  const nginx = read("nginx/kinora.conf");
  const addressOf = (name: string) => compose.services[name]?.networks["kinora"]?.ipv4_address;
  const upstream = Array.from(nginx.matchAll(/^ {2}server ([\d.]+):3000/gm), ([, ip]) => ip);
  expect(upstream).toEqual([addressOf("web-1"), addressOf("web-2")]);
  for (const name of ["web-1", "web-2"]) {
    expect(compose.services[name]?.environment?.["TRUST_PROXY"]).toBe(addressOf("nginx"));
  }
  const named = Object.values(compose.services).flatMap(({ volumes }) =>
    volumes.filter((volume) => !/^\.{1,2}\//.test(volume)).map((volume) => volume.split(":")[0]),
  );
  expect(named.toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
  for (const name of nodes) {
    expect(compose.services[name]).toMatchObject({ read_only: true });
    expect(compose.services[name]).not.toHaveProperty("entrypoint");
  }
});

test("doesn't report the database of compose as healthy while its image creates it", () => {
  // Only the final server listens on an address.
  expect(compose.services["database"]?.healthcheck?.test).toContain("--host=127.0.0.1");
});

test("lets compose create the bucket before the nodes that use it start", () => {
  const command = compose.services["bucket"]?.command?.join("\n");
  for (const name of ["web-1", "web-2", "worker"]) {
    const { environment: variables, depends_on: needed } = compose.services[name] ?? {};
    expect(command).toContain(`s3.bucket.create -name ${variables?.["S3_BUCKET"]}"`);
    expect(needed).toMatchObject({ bucket: { condition: "service_completed_successfully" } });
  }
});

test("lets nginx listen on IPv6 wherever it listens on IPv4", () => {
  const listens = read("nginx/kinora.conf").match(/(?<=^ {2}listen ).+(?=;)/gm) ?? [];
  const ipv4 = listens.filter((listen) => !listen.startsWith("[::]:"));
  expect(ipv4.length).toBeGreaterThan(0);
  expect(listens).toEqual(ipv4.flatMap((listen) => [listen, `[::]:${listen}`]));
});

test("names the site's domain only in nginx's server_name lines", () => {
  const lines = read("nginx/kinora.conf").split("\n");
  expect(lines.filter((line) => line.includes("example.org"))).toEqual(
    Array.from({ length: 2 }, () => "  server_name video.example.org;"),
  );
});

test("gives compose a network that servers rarely use, and all its addresses lie in it", () => {
  const [{ subnet }] = compose.networks.kinora.ipam.config;
  const addresses = read("compose/compose.yaml").match(/\b\d+\.\d+\.\d+\.\d+\b/g) ?? [];
  const prefix = subnet.replace(/\d+\/24$/, "");
  expect(addresses.filter((address) => !address.startsWith(prefix))).toEqual([
    "0.0.0.0",
    "127.0.0.1",
  ]);
  // Defaults of clouds, container engines and routers.
  expect(subnet).not.toMatch(/^(10\.(0|1|8|10|42|43|88|244|255)|172|192\.168|100)\./);
});

test("migrates in compose and in each pod of Kubernetes before the program starts", () => {
  const { command } = compose.services["migrate"] ?? {};
  expect(command).toEqual(["node", "src/server/admin-cli.ts", "migrate"]);
  for (const { spec } of ofKind("Deployment")) {
    const { initContainers: [migrate] = [], containers: [program] = [] } =
      spec?.template?.spec ?? {};
    // Probes don't apply to it, so it may take hours.
    expect(migrate).toEqual({
      image: program?.image,
      args: command,
      envFrom: program?.envFrom,
      env: [program?.env[0]],
      securityContext: program?.securityContext,
      volumeMounts: program?.volumeMounts,
    });
    expect(program?.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(["/data", "/tmp"]);
  }
});

test("selects each deployment's own pods, and the web pods for the service", () => {
  const pods = ofKind("Deployment").map(({ spec }) => spec?.template?.metadata.labels);
  expect(ofKind("Deployment").map(({ spec }) => spec?.selector)).toEqual(
    pods.map((matchLabels) => ({ matchLabels })),
  );
  expect(ofKind("Service")[0]?.spec?.selector).toEqual(pods[0]);
});

test("allows response headers of 16 KB in nginx and in the ingress of Kubernetes", () => {
  expect(read("nginx/kinora.conf")).toMatch(/^ {2}proxy_buffer_size 16k;$/m);
  expect(ofKind("Ingress")[0]?.metadata.annotations).toMatchObject({
    "nginx.ingress.kubernetes.io/proxy-buffer-size": "16k",
  });
});

const imageEnv = readImageEnv();

test("runs the container with npm start's Node.js settings", () => {
  expect(imageEnv).toMatchObject(serverEnv);
});

test.each([
  [{}, "http://127.0.0.1:3000/healthz"],
  [{ PORT: "" }, "http://127.0.0.1:3000/healthz"],
  [{ ROLE: "worker", METRICS_PORT: "9464" }, "http://127.0.0.1:9464/healthz"],
  [{ ROLE: "worker" }, ""],
  [{ ROLE: "worker", METRICS_PORT: "" }, ""],
])("checks the health of a container with %j at %j", (variables, address) => {
  const asked = "globalThis.fetch = async (url) => ({ ok: console.log(url) === undefined })";
  const args = ["--import", `data:text/javascript,${asked}`, "container/health-check.ts"];
  const env = { ...process.env, ...imageEnv, ...variables };
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: deploy, env });
  expect([status, String(stdout).trim()]).toEqual([0, address]);
});

const analyze = spawnSync("systemd-analyze", ["--version"]).status === 0;
test.skipIf(!analyze)(
  "passes systemd's check of the units (skipped without systemd-analyze)",
  () => {
    const names = readdirSync(join(deploy, "systemd"));
    for (const name of names) {
      // The program isn't installed here, so an existing command replaces it.
      const text = read(`systemd/${name}`)
        .replaceAll("/usr/bin/node", "/bin/true")
        .replaceAll("User=kinora", "User=daemon")
        .replace(/^Documentation=.*$/m, "");
      writeFileSync(join(folder, name), text);
    }
    const paths = names.map((name) => join(folder, name));
    const { stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", ...paths], {
      encoding: "utf8",
    });
    const about = stderr.split("\n").filter((line) => names.some((name) => line.includes(name)));
    expect(about).toEqual([]);
  },
);
