/** Formats seconds as ISO 8601, 3725 -> "PT1H2M5S". */
export function isoDuration(durationS: number): string {
  const whole = Math.max(0, Math.round(durationS));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const seconds = whole % 60;
  const text = `${hours > 0 ? `${hours}H` : ""}${minutes > 0 ? `${minutes}M` : ""}${seconds > 0 ? `${seconds}S` : ""}`;
  return `PT${text === "" ? "0S" : text}`;
}
