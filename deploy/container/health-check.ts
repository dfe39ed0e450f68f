/** Ends with 0 while the process of this container lives. A worker is asked at METRICS_PORT. */
const { ROLE, PORT = "3000", METRICS_PORT } = process.env;
const port = ROLE === "worker" ? METRICS_PORT : PORT;
const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
process.exit(response?.ok === true ? 0 : 1);
