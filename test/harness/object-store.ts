import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { findFreePort } from "./server-process.ts";

/**
 * A real S3 server for tests: OpenStack Swift with its s3api, which checks signatures, byte ranges
 * and multipart uploads. It listens on free loopback ports, runs as an unprivileged user and keeps
 * its data in a temporary folder.
 *
 *     const s3 = await startObjectStore();
 *     const site = await startSite({ env: s3.env });
 *     await s3.goAway(); // connections are refused, the data stays
 *     await s3.comeBack();
 *     await s3.stop();
 */
export interface ObjectStore {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Exists already. */
  bucket: string;
  /** The variables that make a site keep its media here. */
  env: Record<string, string>;
  /** Creates another bucket. */
  createBucket(name: string): Promise<void>;
  /** Kills the server that clients connect to. The data stays. */
  goAway(): Promise<void>;
  /** Starts it again at the same address. */
  comeBack(): Promise<void>;
  /** What the servers have written to their logs. */
  readLog(): Promise<string>;
  stop(): Promise<void>;
}

const python = "/usr/bin/python3";
const services = ["account", "container", "object"] as const;
type Service = (typeof services)[number] | "proxy";
const packages = ["swift-proxy", "swift-account", "swift-container", "swift-object"];
const programOf = (service: Service) => `/usr/bin/swift-${service}-server`;

/** One line that says what is not installed, or null. */
function findMissing(): string | null {
  const missing = packages.filter((name) => !existsSync(`/usr/bin/${name}-server`));
  if (missing.length === 0) return null;
  return `The S3 tests need the Debian packages ${missing.join(", ")} and python3-swift: apt-get install --no-install-recommends ${missing.join(" ")} python3-swift`;
}

const account = { user: "test:tester", password: "testing", region: "us-east-1" };

const serviceUser = 65534;
/** The user that the servers run as: one without rights instead of root. Swift wants its name. */
const runAs =
  process.getuid?.() === 0
    ? {
        name: spawnSync("id", ["-nu", `${serviceUser}`], { encoding: "utf8" }).stdout.trim(),
        ids: { uid: serviceUser, gid: serviceUser },
      }
    : { name: userInfo().username, ids: {} };

/** Slow responses of a loaded machine are no failures, and one device is never given up. */
const patience = "node_timeout = 60\nconn_timeout = 10\n";

const storageConfig = (service: Service, folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${runAs.name}
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
disable_fallocate = true
fallocate_reserve = 0
log_level = WARNING
container_update_timeout = 60
${patience}
[pipeline:main]
pipeline = ${service}-server

[app:${service}-server]
use = egg:swift#${service}
`;

const proxyConfig = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${runAs.name}
swift_dir = ${folder}
log_level = WARNING

[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats s3api tempauth copy slo versioned_writes proxy-server

[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# Pages of every origin may read what a signed address gives them.
strict_cors_mode = false
error_suppression_limit = 1000000
${patience}
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
paste.filter_factory = kinora_cache:filter_factory
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = ${account.region}
[filter:tempauth]
use = egg:swift#tempauth
user_${account.user.replace(":", "_")} = ${account.password} .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:versioned_writes]
use = egg:swift#versioned_writes
`;

/** One copy of everything on one device. */
const ringScript = `
import sys
from swift.common.ring import RingBuilder
folder = sys.argv[1]
for name, port in zip(("account", "container", "object"), sys.argv[2:]):
    builder = RingBuilder(2, 1, 0)
    builder.add_dev({"id": 0, "region": 1, "zone": 1, "weight": 1.0, "ip": "127.0.0.1",
                     "port": int(port), "device": "d1"})
    builder.rebalance()
    builder.get_ring().save("%s/%s.ring.gz" % (folder, name))
`;

/** tempauth wants a cache; this one holds nothing. */
const cacheScript = `
class Cache:
    def get(self, *args, **kwargs):
        return None
    get_multi = set = set_multi = incr = decr = delete = get

def filter_factory(global_conf, **local_conf):
    def make(app):
        def run(env, start_response):
            env["swift.cache"] = Cache()
            return app(env, start_response)
        return run
    return make
`;

/** Makes the `PUT` of a bucket, signed as S3 wants it. */
const bucketScript = `
import sys, hmac, hashlib, datetime, http.client
host, port, region, key, secret, bucket = sys.argv[1:]
now = datetime.datetime.utcnow().strftime("%Y%m%dT%H%M%SZ")
day = now[:8]
empty = hashlib.sha256(b"").hexdigest()
address = "%s:%s" % (host, port)
names = "host;x-amz-content-sha256;x-amz-date"
canonical = "\\n".join(["PUT", "/" + bucket, "", "host:" + address, "x-amz-content-sha256:" + empty,
                       "x-amz-date:" + now, "", names, empty])
scope = "%s/%s/s3/aws4_request" % (day, region)
text = "\\n".join(["AWS4-HMAC-SHA256", now, scope, hashlib.sha256(canonical.encode()).hexdigest()])
signing = ("AWS4" + secret).encode()
for part in (day, region, "s3", "aws4_request"):
    signing = hmac.new(signing, part.encode(), hashlib.sha256).digest()
signature = hmac.new(signing, text.encode(), hashlib.sha256).hexdigest()
connection = http.client.HTTPConnection(host, int(port))
connection.request("PUT", "/" + bucket, headers={
    "x-amz-content-sha256": empty, "x-amz-date": now,
    "authorization": "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s"
                     % (key, scope, names, signature)})
response = connection.getresponse()
sys.exit(0 if response.status in (200, 409) else "PUT %s: %s %s" % (bucket, response.status, response.read()))
`;

function runPython(script: string, args: string[]): void {
  const { status, stderr } = spawnSync(python, ["-c", script, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(`Swift could not be set up: ${stderr}`);
}

/** @throws one line that says what is not installed. */
export async function startObjectStore(): Promise<ObjectStore> {
  const missing = findMissing();
  if (missing !== null) throw new Error(missing);
  const folder = await mkdtemp(join(tmpdir(), "kinora-swift-"));
  // Its user has to reach the folder.
  await chmod(folder, 0o755);
  await mkdir(join(folder, "devices/d1"), { recursive: true });
  const { uid, gid } = runAs.ids;
  if (uid !== undefined && gid !== undefined) await chown(join(folder, "devices/d1"), uid, gid);
  const [accounts = 0, containers = 0, objects = 0, proxyPort = 0] = await Promise.all(
    Array.from({ length: 4 }, findFreePort),
  );
  const ports: Record<Service, number> = {
    account: accounts,
    container: containers,
    object: objects,
    proxy: proxyPort,
  };
  await writeFile(
    join(folder, "swift.conf"),
    "[swift-hash]\nswift_hash_path_prefix = kinora\nswift_hash_path_suffix = tests\n\n[storage-policy:0]\nname = Policy-0\ndefault = yes\n",
  );
  for (const service of services) {
    const text = storageConfig(service, folder, ports[service]);
    await writeFile(join(folder, `${service}-server.conf`), text);
  }
  await writeFile(join(folder, "kinora_cache.py"), cacheScript);
  await writeFile(join(folder, "proxy-server.conf"), proxyConfig(folder, ports.proxy));
  runPython(ringScript, [folder, ...services.map((service) => String(ports[service]))]);

  const logFile = join(folder, "swift.log");
  const log = openSync(logFile, "a");
  const processes = new Map<Service, ChildProcess>();

  async function launch(service: Service): Promise<void> {
    const args = [programOf(service), join(folder, `${service}-server.conf`), "--verbose"];
    const child = spawn(python, args, {
      cwd: folder,
      stdio: ["ignore", log, log],
      env: {
        PATH: "/usr/bin:/bin",
        LANG: "C.UTF-8",
        PYTHONPATH: folder,
        PYTHONDONTWRITEBYTECODE: "1",
      },
      ...runAs.ids,
    });
    processes.set(service, child);
    await waitForPort(child, ports[service]);
  }

  async function end(service: Service): Promise<void> {
    const child = processes.get(service);
    processes.delete(service);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  async function waitForPort(child: ChildProcess, port: number): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      const isThere = await fetch(`http://127.0.0.1:${port}/healthcheck`).then(
        () => true,
        () => false,
      );
      if (isThere) return;
      if (child.exitCode !== null || tries > 1200) {
        throw new Error(`Swift did not start: ${await readFile(logFile, "utf8")}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async function createBucket(name: string): Promise<void> {
    const { user, password, region } = account;
    runPython(bucketScript, ["127.0.0.1", String(ports.proxy), region, user, password, name]);
  }

  const endpoint = `http://127.0.0.1:${ports.proxy}`;
  const bucket = "kinora";
  async function stop(): Promise<void> {
    await Promise.all([...processes.keys()].map(end));
    await rm(folder, { recursive: true, force: true });
  }
  try {
    await Promise.all(([...services, "proxy"] as const).map(launch));
    await createBucket(bucket);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    endpoint,
    region: account.region,
    accessKeyId: account.user,
    secretAccessKey: account.password,
    bucket,
    env: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_REGION: account.region,
      S3_ACCESS_KEY_ID: account.user,
      S3_SECRET_ACCESS_KEY: account.password,
      S3_PATH_STYLE: "1",
    },
    createBucket,
    goAway: () => end("proxy"),
    comeBack: () => launch("proxy"),
    readLog: () => readFile(logFile, "utf8"),
    stop,
  };
}
