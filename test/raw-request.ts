import { connect, type Socket } from "node:net";

/** Opens a connection and collects the received text. Never throws if the connection is reset. */
export function openConnection(url: string): {
  socket: Socket;
  /** Resolves with everything received once the server has closed the connection. */
  received: Promise<string>;
} {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  socket.on("error", () => undefined);
  return {
    socket,
    received: new Promise((resolve) => socket.on("close", () => resolve(text))),
  };
}

/** Sends raw bytes and returns the whole response after the connection has ended. */
export async function sendRaw(url: string, text: string): Promise<string> {
  const { socket, received } = openConnection(url);
  socket.write(text);
  return received;
}
