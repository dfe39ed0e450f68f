import { randomBytes, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";

interface Call {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request and only waits for its end. */
function send(url: string, agent: Agent, { path, body = "", ...rest }: Call): Promise<void> {
  return new Promise((resolve) => {
    const call = request(url + path, { ...rest, agent }, (response) => {
      response.resume();
      response.on("close", resolve);
    });
    call.on("error", () => resolve());
    call.end(body);
  });
}

/** Opens `clients` connections. Each sends its next request after the last response. */
const repeat = (clients: number, call: (n: number) => Call) => (url: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  let n = 0;
  const client = async () => {
    for (;;) await send(url, agent, call((n += 1)));
  };
  for (let started = 0; started < clients; started += 1) void client();
};

const json = { "content-type": "application/json" };
const random = (bytes = 12) => randomBytes(bytes).toString("base64url");
const signIn = (n: number, headers: Record<string, string> = {}): Call => ({
  method: "POST",
  path: "/api/auth/signin",
  headers: { ...json, ...headers },
  body: JSON.stringify({ email: `bench-${n}@example.com`, password: "a wrong password" }),
});

function slowBodies(url: string): void {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: 300 }, () => {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    socket.write(
      "POST /api/visits HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{",
    );
    return socket;
  });
  setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(" ");
  }, 500);
}

const manyObjects = `[${"{},".repeat(300_000)}{}]`;

/** Cheapest page to flood. No refused request can cost less. */
const floor = "16 clients at /, without a cookie";

/** Floods by one client. Each runs in a separate process until it is killed. */
export const floods: Record<string, (url: string) => void> = {
  [floor]: repeat(16, () => ({ path: "/" })),
  "40 set-up calls and 120 sign-ins at once": repeat(160, (n) =>
    n % 4 > 0
      ? signIn(n)
      : {
          method: "POST",
          path: "/api/auth/setup",
          headers: json,
          body: JSON.stringify({ token: "guess", email: "a@b.example", password: "a password" }),
        },
  ),
  "6 clients with 300,000 empty objects": repeat(6, () => ({
    method: "POST",
    path: "/api/visits",
    headers: json,
    body: manyObjects,
  })),
  "300 slow bodies": slowBodies,
  "16 clients at / with a forged cookie and random queries": repeat(16, (n) => ({
    path: `/?x=${n}`,
    headers: { cookie: `session=${random(45)}` },
  })),
  "120 sign-ins with invented X-Forwarded-For": repeat(120, (n) =>
    signIn(n, { "x-forwarded-for": `198.51.${n % 250}.${(n >> 8) % 250}` }),
  ),
  "16 clients at random addresses": repeat(16, () => ({ path: `/${random()}` })),
  "16 clients at unknown videos": repeat(16, () => ({ path: `/video/${random()}` })),
  "16 clients at unknown embeds": repeat(16, () => ({ path: `/embed/${random()}` })),
  "16 clients with random searches": repeat(16, () => ({ path: `/search?search=${random(3)}` })),
  "16 clients with random API searches": repeat(16, (n) => ({
    path:
      n % 2 === 0
        ? `/api/videos?limit=100&search=${random(3)}`
        : `/api/search/suggest?q=${random(3)}`,
  })),
  "16 clients at unknown media": repeat(16, () => ({
    path: `/media/v/${random(16)}/poster-${random()}.jpg`,
  })),
  "16 clients that download a video by 200 ranges each": repeat(16, () => ({
    path: "/media/public/bench/video.mp4",
    headers: {
      range: `bytes=${Array.from({ length: 200 }, (_, n) => `${n * 10}-${n * 10 + 1}`).join(",")}`,
    },
  })),
  "16 clients at the back office with a forged cookie": repeat(16, () => ({
    path: "/api/admin/videos?limit=100",
    headers: { cookie: `session=${random(45)}` },
  })),
  "16 clients with writes from another origin": repeat(16, () => ({
    method: "POST",
    path: `/api/videos/${randomUUID()}/like`,
    headers: { origin: "https://evil.example" },
  })),
  "16 clients that create uploads without a session": repeat(16, () => ({
    method: "POST",
    path: "/api/uploads",
    headers: { "tus-resumable": "1.0.0", "upload-length": "1000000" },
  })),
  "16 clients with HEAD and OPTIONS": repeat(16, (n) => ({
    method: n % 2 === 0 ? "HEAD" : "OPTIONS",
    path: `/?search=${n % 4 === 0 ? random(3) : ""}`,
  })),
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name = "", url = ""] = process.argv.slice(2);
  floods[name]?.(url);
}
