import cluster, { type Worker } from "node:cluster";

/** What node:cluster sends with a connection. The process that accepts it replies with the number. */
interface Handover {
  act: "newconn";
  seq: number;
}

const isHandover = (message: unknown): message is Handover =>
  typeof message === "object" &&
  message !== null &&
  "act" in message &&
  message.act === "newconn" &&
  "seq" in message;

const findReply = (message: unknown): unknown =>
  typeof message === "object" && message !== null && "ack" in message ? message.ack : undefined;

const readPauseMs = 5;

/** Processes that accept connections, or did so until they ended. */
const listening = new WeakSet<Worker>();

/**
 * Gives connections of a process that dies before it has accepted them to another one. node:cluster
 * keeps them open and waits for the reply of the dead process, and so would their clients. No byte of
 * them was read: a process replies before it reads.
 */
export function returnConnections(worker: Worker): void {
  worker.on("listening", () => listening.add(worker));
  const child = worker.process;
  const open = new Set<number>();
  const send: (...given: never[]) => boolean = child.send.bind(child);
  child.send = (message: unknown, ...rest: unknown[]) => {
    if (isHandover(message)) open.add(message.seq);
    return Boolean(Reflect.apply(send, child, [message, ...rest]));
  };
  child.on("internalMessage", (message: unknown) => {
    const reply = findReply(message);
    if (typeof reply === "number") open.delete(reply);
  });
  let isDisconnected = false;
  child.once("disconnect", () => {
    isDisconnected = true;
  });

  function giveBack(): void {
    // What it has sent may be unread when it has ended.
    if (child.connected) return void setTimeout(giveBack, readPauseMs).unref();
    // Node leaves this event out where a connection was on its way, and the process stays in its list.
    if (!isDisconnected) child.emit("disconnect");
    const others = Object.values(cluster.workers ?? {}).filter((other) => other !== worker);
    const hasOther = others.some((other) => other !== undefined && listening.has(other));
    // Without another process, "accepted" makes node:cluster close its copy.
    for (const ack of open) {
      child.emit("internalMessage", { cmd: "NODE_CLUSTER", ack, accepted: !hasOther });
    }
  }
  child.once("exit", giveBack);
}
