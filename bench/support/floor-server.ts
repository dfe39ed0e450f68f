import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import pg from "pg";

/**
 * Cheapest possible server: `node:http`, one prepared statement and `JSON.stringify`. Takes the
 * socket folder and password of the database as arguments, and prints its port.
 */
const [host, password] = process.argv.slice(2);
const pool = new pg.Pool({ host, password, user: "kinora", database: "kinora", max: 16 });

const statements: Record<string, { name: string; text: string }> = {
  "/one": {
    name: "one",
    text: "select * from videos where slug = $1 and is_listed",
  },
  "/newest": {
    name: "newest",
    text: "select * from videos where is_listed order by published_at desc, id desc limit $1",
  },
};

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = "", parameter] = (request.url ?? "").split("?");
  const statement = statements[path] ?? { text: "select $1" };
  const { rows } = await pool.query({ ...statement, values: [parameter] });
  const body = JSON.stringify(rows);
  response.writeHead(200, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}

const server = createServer((request, response) => void respond(request, response));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" ? address?.port : address}\n`);
});
