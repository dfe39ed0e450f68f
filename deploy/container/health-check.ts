import { env, exit } from "node:process";

/** Exits with 0 while the process of this container responds. Checks a worker at METRICS_PORT. */
const port = env["ROLE"] === "worker" ? env["METRICS_PORT"] : env["PORT"] || "3000";
const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
exit(response?.ok === true ? 0 : 1);
