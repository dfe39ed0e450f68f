/** Proposes a title: "my_first-clip.mp4" -> "my first clip". */
export function titleFromName(name: string): string {
  return name
    .replace(/\.[a-z0-9]{2,5}$/i, "")
    .replace(/[_.-]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 200)
    .toWellFormed();
}
