import { createServer } from "node:http";
import pg from "pg";

/**
 * The least that a call can cost: `node:http`, one prepared query, `JSON.stringify`. Started with the
 * socket folder and the password of the database; prints its port.
 */
const [host, password] = process.argv.slice(2);
const pool = new pg.Pool({ host, password, user: "kinora", database: "kinora", max: 16 });

const statements = {
  "/one": {
    name: "one",
    text: "select * from videos where slug = $1 and is_listed",
  },
  "/newest": {
    name: "newest",
    text: "select * from videos where is_listed order by published_at desc, id desc limit $1",
  },
};

async function respond(request, response) {
  const [path, parameter] = request.url.split("?");
  /** @type {{ rows: unknown[] }} */
  const { rows } = await pool.query({ ...statements[path], values: [parameter] });
  const body = JSON.stringify(rows);
  response.writeHead(200, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}

const server = createServer((request, response) => void respond(request, response));
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
