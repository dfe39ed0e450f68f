import { totalmem } from "node:os";

const gigabyte = 1024 ** 3;

/**
 * Returns the server's settings. They are passed on the command line, because they belong to the
 * program and not to the data.
 * @param isDurable false only for temporary databases in tests.
 */
export function serverSettings(
  socketDir: string,
  isDurable: boolean,
  memoryBytes: number = totalmem(),
): Record<string, string> {
  return {
    listen_addresses: "",
    port: "5432",
    unix_socket_directories: socketDir,
    unix_socket_permissions: "0700",
    // Owner of this server. Processes that adopt the server query it.
    "kinora.owner": String(process.pid),

    max_connections: "100",
    shared_buffers: memoryBytes >= 4 * gigabyte ? "256MB" : "128MB",
    effective_cache_size: `${Math.max(256, Math.round(memoryBytes / 3 / 1024 ** 2))}MB`,
    work_mem: "8MB",
    maintenance_work_mem: "64MB",
    random_page_cost: "1.1",
    // All queries are short, so compilation and parallel workers cost more than they gain.
    jit: "off",
    max_parallel_workers_per_gather: "0",

    fsync: isDurable ? "on" : "off",
    full_page_writes: isDurable ? "on" : "off",
    synchronous_commit: isDurable ? "on" : "off",
    wal_compression: "pglz",
    min_wal_size: "64MB",
    max_wal_size: "1GB",
    autovacuum_vacuum_scale_factor: "0.05",
    autovacuum_analyze_scale_factor: "0.05",

    timezone: "UTC",
    log_timezone: "UTC",
    logging_collector: "off",
    // The application reports failed statements. The server only logs its own events.
    log_min_messages: "log",
    log_checkpoints: "off",
    log_line_prefix: "",
  };
}

export function settingArgs(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
