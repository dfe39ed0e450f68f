/** Account in the configuration of Swift and its s3api. */
export const account = { user: "test:tester", password: "testing", region: "us-east-1" };

export const hashConfig = `[swift-hash]
swift_hash_path_prefix = kinora
swift_hash_path_suffix = tests

[storage-policy:0]
name = Policy-0
default = yes
`;

/**
 * Long timeouts, because busy machines respond slowly and the only device must never be marked as
 * failed.
 */
const patience = "node_timeout = 60\nconn_timeout = 10\n";

export const storageConfig = (
  service: string,
  user: string,
  folder: string,
  port: number,
) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${user}
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

export const proxyConfig = (user: string, folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${user}
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

/** Stores one copy of everything on one device. */
export const ringScript = `
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

/** tempauth requires a cache. This one stores nothing. */
export const cacheScript = `
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
