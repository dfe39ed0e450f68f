/** Converts an instant to the value of `datetime-local`: local time, to the minute. */
export function toLocalInput(iso: string | null): string {
  if (iso === null) return "";
  const date = new Date(iso);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

export function toInstant(local: string): string | null {
  if (local === "") return null;
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? local : date.toISOString();
}

export const textOf = (value: number | null) => (value === null ? "" : String(value));
export const numberOf = (value: string) => (value.trim() === "" ? null : Number(value));
export const listOf = (value: string) =>
  value
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
