import { once } from "node:events";
import { createServer } from "node:http";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { closePort } from "./close-port.ts";

/** Connects `count` clients, reports it, and returns what each client receives. */
const clients = `
  const { connect } = require("node:net");
  const { parentPort, workerData } = require("node:worker_threads");
  const { port, count, signal } = workerData;
  const state = new Int32Array(signal);
  const results = Array.from({ length: count }, () => new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => {
      socket.write("POST / HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 0\\r\\n\\r\\n");
      if (Atomics.add(state, 0, 1) + 1 === count) Atomics.notify(state, 0);
    });
    socket.on("data", (data) => { received += data; });
    socket.on("error", (error) => resolve(error.code));
    socket.on("close", () => resolve(received.slice(9, 12)));
  }));
  Promise.all(results).then((all) => parentPort.postMessage(all));
`;

test("serves requests that wait when the port closes, and refuses later ones", async () => {
  const server = createServer((_request, response) => {
    response.setHeader("connection", "close").end("served");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const count = 20;
  const signal = new SharedArrayBuffer(4);
  const worker = new Worker(clients, { eval: true, workerData: { port, count, signal } });
  await once(worker, "online");
  // While this thread waits, the server accepts nothing, so all clients are in the port's queue.
  const state = new Int32Array(signal);
  for (let connected = 0; connected < count; connected = Atomics.load(state, 0)) {
    Atomics.wait(state, 0, connected, 1000);
  }
  const received = once(worker, "message");
  const { ended } = await closePort(server);
  expect(await received).toEqual([Array.from({ length: count }, () => "200")]);
  await ended;
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
  await worker.terminate();
});
