import { connect } from "node:net";
import { connect as connectTls } from "node:tls";

/** Spelling of a route's URL in a request line. */
export interface Spelling {
  name: string;
  target: string;
  /** "refused" if the server must refuse it, "same" if it means the plain URL. */
  is: "refused" | "same";
}

const encodeByte = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** Percent-encodes the first letter after a slash. */
const encodeFirst = (path: string): string => path.replace(/(?<=\/)[a-z]/i, encodeByte);

/**
 * Returns spellings of a URL, with one character per byte.
 * @param host the value of `Host`.
 */
export function spellingsOf(address: string, host: string): Spelling[] {
  const [path = "", query] = address.split("?");
  const search = query === undefined ? "" : `?${query}`;
  const more = query === undefined ? "?" : "&";
  const refused: Record<string, string> = {
    "a dot segment before": `/.${address}`,
    "a dot segment after": `${path}/.${search}`,
    "two dots before": `/auth/..${address}`,
    "two dots above the root": `/..${address}`,
    "two dots after": `${path}/..${search}`,
    "an empty segment before": `/${address}`,
    "an empty segment inside": path.replace(/(?<=.)\/|$/, "//") + search,
    "an empty segment after": `${path}//${search}`,
    "a fragment": `${address}#x`,
    "a fragment before the query": `${path}#x${search}`,
    "an empty fragment": `${address}#`,
    "a backslash after": `${path}\\${search}`,
    "a backslash before": `/\\${address}`,
    "a backslash for a slash": path.replace(/\/(?=[^/]*$)/, "\\") + search,
    "an encoded dot segment": `/%2e${address}`,
    "two encoded dots": `/x/%2E%2e${address}`,
    "a half encoded dot segment": `/x/.%2e${address}`,
    "an encoded slash":
      path.replace(/\/(?=[^/]*$)/, (slash, at) => (at === 0 ? "/%2f" : "%2F")) + search,
    "an encoded slash after": `${path}%2f${search}`,
    "an encoded backslash": `${path}%5C${search}`,
    "an encoded NUL": `${path}%00${search}`,
    "an encoded end of line": `${path}%0d%0a${search}`,
    "an encoded tab": `${path}%09${search}`,
    "an encoded DEL": `${path}%7F${search}`,
    "an encoded control character of Latin 1": `${path}%C2%85${search}`,
    "an unfinished escape": `${path}%${search}`,
    "an escape of no byte": `${path}%zz${search}`,
    "a dot of two escapes": `/x/%2%65${address}`,
    "raw bytes in the path": `${path}\xc3\xa9${search}`,
    "raw bytes in the query": `${address}${more}x=\xe6\xbc\xa2`,
    "another host": `http://evil.example${address}`,
    "a name in the authority": `http://a@${host}${address}`,
    "another port": `http://${host.replace(/:\d+$/, "")}:1${address}`,
    "no authority": `http://${address}`,
    "another scheme": `ftp://${host}${address}`,
    "only an authority": `//${host}${address}`,
    "an absolute dot segment": `http://${host}/.${address}`,
    "an absolute empty segment": `http://${host}/${address}`,
    "an absolute fragment": `http://${host}${address}#x`,
    "no slash before": address.slice(1) || "x",
    "a query alone": `?${address}`,
  };
  const same: Record<string, string> = {
    plain: address,
    "the absolute form": `http://${host}${address}`,
    "the absolute form in capitals": `HTTP://${host.toUpperCase()}${address}`,
    "an encoded letter": encodeFirst(path) + search,
    "an unread name in the query": `${address}${more}utm_source=x`,
  };
  const list = (is: Spelling["is"], targets: Record<string, string>): Spelling[] =>
    Object.entries(targets).map(([name, target]) => ({ name, target, is }));
  return [...list("same", same), ...list("refused", refused)];
}

/** Raw response as read from the socket. */
export interface RawResponse {
  status: number;
  headers: ReadonlyMap<string, string>;
  body: string;
}

/**
 * Sends one request line with unchanged headers and reads until the connection ends. With
 * `servername`, uses TLS and accepts any certificate.
 * @returns a response with status 0 if the server ends the connection without a response.
 */
export function askRaw(
  { hostname, port, servername }: { hostname: string; port: number; servername?: string },
  target: string,
  headers: readonly string[],
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const socket =
      servername === undefined
        ? connect(port, hostname)
        : connectTls({ port, host: hostname, servername, rejectUnauthorized: false });
    socket.on("data", (piece: Buffer) => pieces.push(piece));
    socket.on("error", reject);
    socket.on("close", () => {
      const text = Buffer.concat(pieces).toString("latin1");
      const [head = "", ...rest] = text.split("\r\n\r\n");
      const [first = "", ...lines] = head.split("\r\n");
      resolve({
        status: Number(first.split(" ")[1] ?? 0),
        headers: new Map(
          lines.map((line) => {
            const at = line.indexOf(":");
            return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
          }),
        ),
        body: rest.join("\r\n\r\n"),
      });
    });
    const lines = [`GET ${target} HTTP/1.1`, ...headers, "Connection: close", "", ""];
    socket.write(Buffer.from(lines.join("\r\n"), "latin1"));
  });
}
