import { env, exit } from "node:process";

/**
 * Exits with 0 while the process of this container responds. A worker responds only at METRICS_PORT.
 * Without one, it counts as healthy for as long as it runs.
 */
const port = env["ROLE"] === "worker" ? env["METRICS_PORT"] : env["PORT"] || "3000";
if (!port) exit(0);
const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
exit(response?.ok === true ? 0 : 1);
