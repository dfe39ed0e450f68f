/**
 * Files that may read the request target. One of them is a server for operators that visitors can't
 * reach.
 */
const readers = new Set([
  "src/server/http/request-target.ts",
  "src/server/processes/operations-server.ts",
]);

const rawTargets = [
  /\boriginalUrl\b/,
  /\b(?:request|req|raw|incoming|message)\??\.url\b/i,
  // `const { url } = request` and `({ url }: IncomingMessage)`, but not `const { url } = request.body`.
  /\{[^{}]*\burl\b[^{}]*\}\s*=\s*(?:request|req)\b(?!\.(?:body|query|params|routeOptions)\b)/,
  /\{[^{}]*\burl\b[^{}]*\}\s*:\s*(?:IncomingMessage|FastifyRequest)\b/,
];

/**
 * Finds server code that reads the address of a request from the framework. Two parsers could
 * disagree about an address.
 * @returns one line for each file.
 */
export function findRawTargets(file: string, text: string): string[] {
  if (!/^src\/(?:\w+\/)?server\//.test(file) || file.endsWith(".test.ts") || readers.has(file))
    return [];
  return rawTargets.some((pattern) => pattern.test(text))
    ? [`${file}: the address of a request is read with targetOf of http/request-target.ts`]
    : [];
}
