import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort, root } from "../harness/server-process.ts";
import { createProxyClient, type ProxyClient } from "./proxy-client.ts";

export interface Nginx {
  client: ProxyClient;
  /** The port for plain HTTP. */
  httpPort: number;
  httpsPort: number;
  /** Where it would write bodies of requests before it passes them on. */
  bodyDir: string;
  readErrors(): Promise<string>;
  stop(): Promise<void>;
}

/** nginx refuses to serve files as root; root runs it as the user that owns nothing. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
/** Debian keeps it where only root looks for programs. */
const program = existsSync("/usr/sbin/nginx") ? "/usr/sbin/nginx" : "nginx";
const serverName = "video.example.org";

/**
 * Runs the real nginx with deploy/nginx/kinora.conf; only addresses and folders are replaced.
 * @param options.nodes ports of the nodes, which listen on 127.0.0.1.
 * @param options.dataDir the folder that the nodes share.
 */
export async function startNginx(options: {
  nodes: readonly [number, number];
  dataDir: string;
}): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), "kinora-nginx-"));
  const [httpPort, httpsPort] = [await findFreePort(), await findFreePort()];
  const bodyDir = join(folder, "body");
  makeCertificate(folder);
  await writeFile(join(folder, "nginx.conf"), mainConfig(folder));
  await writeFile(
    join(folder, "kinora.conf"),
    replaceEach(await readFile(join(root, "deploy/nginx/kinora.conf"), "utf8"), {
      "10.0.0.11:3000": `127.0.0.1:${options.nodes[0]}`,
      "10.0.0.12:3000": `127.0.0.1:${options.nodes[1]}`,
      "listen 80": `listen 127.0.0.1:${httpPort}`,
      "listen 443": `listen 127.0.0.1:${httpsPort}`,
      "/var/cache/nginx/kinora": join(folder, "cache"),
      "/etc/ssl/kinora/": `${folder}/`,
      "/var/lib/kinora/storage/objects/": join(options.dataDir, "storage/objects/"),
    }),
  );
  for (const name of ["body", "cache"]) await mkdir(join(folder, name));
  if (unprivileged.uid !== undefined) {
    for (const name of ["", "body", "cache", "privkey.pem"]) {
      await chown(join(folder, name), unprivileged.uid, unprivileged.gid);
    }
  }
  const args = ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")];
  execFileSync(program, ["-t", "-q", ...args], unprivileged);
  const child = spawn(program, args, { stdio: "inherit", ...unprivileged });
  const client = createProxyClient(httpsPort, serverName);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  // Listening is all that counts: the nodes may start later.
  for (;;) {
    if (hasEnded()) throw new Error(`nginx ended with ${child.exitCode}`);
    if (await client.call("GET", "/healthz").then(Boolean, () => false)) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    client,
    httpPort,
    httpsPort,
    bodyDir,
    readErrors: () => readFile(join(folder, "error.log"), "utf8"),
    async stop() {
      client.close();
      const ended = once(child, "exit");
      if (!hasEnded()) {
        child.kill("SIGTERM");
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A replacement that finds nothing would leave an address of the example in place. */
function replaceEach(text: string, replacements: Record<string, string>): string {
  let result = text;
  for (const [from, to] of Object.entries(replacements)) {
    if (!result.includes(from)) throw new Error(`the configuration does not hold "${from}"`);
    result = result.replaceAll(from, to);
  }
  return result;
}

/** What a distribution's nginx.conf sets around the files of conf.d. */
const mainConfig = (folder: string) => `
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  include ${folder}/kinora.conf;
}
`;

function makeCertificate(folder: string): void {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const files = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")];
  const about = ["-days", "2", "-subj", `/CN=${serverName}`];
  execFileSync("openssl", ["req", "-x509", ...key, ...files, ...about], { stdio: "ignore" });
}
