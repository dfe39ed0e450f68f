import { readdir, readFile } from "node:fs/promises";

interface ProcessInfo {
  pid: number;
  parentPid: number;
  /** Such as "ffmpeg". */
  name: string;
  /** Command line, separated by spaces. */
  command: string;
}

/** Returns all descendants of a process, parents first. Linux only, because it reads /proc. */
export async function listDescendants(pid: number): Promise<ProcessInfo[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const children = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, "utf8").catch(() => "")),
  );
  const found: ProcessInfo[] = [];
  for (const child of children.join(" ").split(/\s+/).filter(Boolean).map(Number)) {
    const [name, command] = await Promise.all(
      ["comm", "cmdline"].map((file) => readFile(`/proc/${child}/${file}`, "utf8").catch(() => "")),
    );
    found.push({
      pid: child,
      parentPid: pid,
      name: (name ?? "").trim(),
      command: (command ?? "").replaceAll("\0", " ").trim(),
    });
    found.push(...(await listDescendants(child)));
  }
  return found;
}
