/** Internal details that mean nothing to someone who uploads a file. */
const inside: readonly RegExp[] = [
  /\b(undefined|null|NaN|\[object|Error)\b/,
  /\bE[A-Z]{4,}\b|\bSIG[A-Z]+\b/,
  /\b(ffmpeg|ffprobe|stderr|exit code|spawn)\b/i,
  /\/(tmp|proc|home|dev|usr)\//,
  // Escaped bytes in ffprobe's output.
  /\[\d+\]/,
  /[\0-\u0008\u000b-\u001f\ufffd]/,
];

/** @returns what is wrong with a message for users, or null. */
export function judgeWords(text: unknown): string | null {
  if (typeof text !== "string" || text.trim() === "") return "no words";
  const shown = JSON.stringify(text.slice(0, 200));
  if (!/^\p{Lu}/u.test(text) || !/[.!]$/.test(text)) return `no sentence: ${shown}`;
  if (text.length > 400) return `too long: ${shown}`;
  const pattern = inside.find((each) => each.test(text));
  return pattern === undefined ? null : `not for people: ${shown}`;
}
