import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createDaemon, isRoot, serviceUser, type Daemon } from "../harness/daemon.ts";
import { findFreePort, root } from "../harness/server-process.ts";
import { makeServiceRoot } from "../harness/service-folder.ts";
import { createProxyClient, type ProxyClient } from "./proxy-client.ts";

export interface Nginx {
  daemon: Daemon;
  client: ProxyClient;
  /** The port for plain HTTP. */
  httpPort: number;
  httpsPort: number;
  /** Folder for buffered request bodies. */
  bodyDir: string;
  stop(): Promise<void>;
}

/** Debian installs nginx in a folder that is only on root's PATH. */
const program = existsSync("/usr/sbin/nginx") ? "/usr/sbin/nginx" : "nginx";
const serverName = "video.example.org";

/**
 * Runs the real nginx with deploy/nginx/kinora.conf. Only addresses and folders are replaced.
 * @param options.nodes ports of the nodes, which listen on 127.0.0.1.
 * @param options.dataDir the folder that the nodes share.
 */
export async function startNginx(options: {
  nodes: readonly [number, number];
  dataDir: string;
}): Promise<Nginx> {
  const folder = await makeServiceRoot("nginx");
  const [httpPort, httpsPort] = [await findFreePort(), await findFreePort()];
  const bodyDir = join(folder, "body");
  makeCertificate(folder);
  await writeFile(join(folder, "nginx.conf"), mainConfig(folder));
  await writeFile(
    join(folder, "kinora.conf"),
    replaceEach(await readFile(join(root, "deploy/nginx/kinora.conf"), "utf8"), {
      "10.213.87.11:3000": `127.0.0.1:${options.nodes[0]}`,
      "10.213.87.12:3000": `127.0.0.1:${options.nodes[1]}`,
      // Test machines may lack IPv6.
      "listen [::]": "# listen [::]",
      "listen 80": `listen 127.0.0.1:${httpPort}`,
      "listen 443": `listen 127.0.0.1:${httpsPort}`,
      "/var/cache/nginx/kinora": join(folder, "cache"),
      "/etc/ssl/kinora/": `${folder}/`,
      "/var/lib/kinora/storage/objects/": join(options.dataDir, "storage/objects/"),
    }),
  );
  for (const name of ["body", "cache"]) await mkdir(join(folder, name));
  if (isRoot) {
    for (const name of ["", "body", "cache", "privkey.pem"]) {
      await chown(join(folder, name), serviceUser, serviceUser);
    }
  }
  const client = createProxyClient(httpsPort, serverName);
  const args = ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")];
  const daemon = createDaemon({
    name: "nginx",
    command: [program, ...args],
    isUnprivileged: true,
    // Only waits until nginx listens, because the nodes may start later.
    isReady: () => client.call("GET", "/healthz").then(Boolean),
  });
  await daemon.start();
  return {
    daemon,
    client,
    httpPort,
    httpsPort,
    bodyDir,
    async stop() {
      client.close();
      await daemon.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Throws if a replacement has no match, because an address of the example would remain. */
function replaceEach(text: string, replacements: Record<string, string>): string {
  let result = text;
  for (const [from, to] of Object.entries(replacements)) {
    if (!result.includes(from)) throw new Error(`the configuration does not hold "${from}"`);
    result = result.replaceAll(from, to);
  }
  return result;
}

/** Returns a configuration like a distribution's nginx.conf, which includes the files in conf.d. */
const mainConfig = (folder: string) => `
daemon off;
# One process, which ends with the test.
master_process off;
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
