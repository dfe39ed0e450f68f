import { once } from "node:events";
import { createServer } from "node:http";

/** Ad server that tries to keep its client busy. */
export interface HostileTags {
  url: string;
  /** Requested paths in order. */
  requests: string[];
  /** Returns the bytes of response bodies written to the network. */
  sentBytes(): number;
  stop(): Promise<void>;
}

const bigBytes = 900 * 1024;
const wrapper = (url: string) =>
  `<Ad><Wrapper allowMultipleAds="true"><AdSystem>t</AdSystem><VASTAdTagURI>${url}</VASTAdTagURI></Wrapper></Ad>`;
const vast = (ads: string) => `<VAST version="4.2">${ads}</VAST>`;

/**
 * `/chain/N`: a wrapper of the next number, without an end. `/fan/N`: a wrapper with ten ads that
 * all fan out again. `/big/N`: the same with 900 KB of text in each document. `/stream`: a document
 * that never ends. `/drip`: one that never ends, a few bytes at a time.
 */
export async function startHostileTags(): Promise<HostileTags> {
  const requests: string[] = [];
  let sentBytes = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    requests.push(path);
    const [, kind = "", number = "0"] = path.split("/");
    response.setHeader("access-control-allow-origin", "*");
    const at = Number(number);
    const many = Array.from({ length: 10 }, (_, more) => wrapper(`/${kind}/${at * 10 + more + 1}`));
    const send = (text: string) => {
      sentBytes += text.length;
      response.end(text);
    };
    if (kind === "chain") return send(vast(wrapper(`/chain/${at + 1}`)));
    if (kind === "fan") return send(vast(many.join("")));
    if (kind === "big") return send(vast(many.join("") + `<!--${"x".repeat(bigBytes)}-->`));
    const chunk = "<!-- and so on -->".repeat(kind === "stream" ? 1000 : 1);
    response.write(vast("").replace("</VAST>", ""));
    const timer = setInterval(
      () => {
        // Waits if the client doesn't read.
        if (response.writableNeedDrain) return;
        sentBytes += chunk.length;
        response.write(chunk);
      },
      kind === "stream" ? 1 : 50,
    );
    response.on("close", () => clearInterval(timer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    sentBytes: () => sentBytes,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
