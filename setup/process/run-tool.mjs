import { spawn } from "node:child_process";

/**
 * Runs a tool to its end. Returns its exit code (-1 if it didn't start) and the end of its output.
 * Never rejects.
 */
export function runTool(file, args, options = {}) {
  return new Promise((resolve) => {
    let output = "";
    const collect = (chunk) => {
      output = (output + chunk).slice(-100_000);
    };
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    child.stdout.setEncoding("utf8").on("data", collect);
    child.stderr.setEncoding("utf8").on("data", collect);
    child.on("error", (error) => resolve({ code: -1, output: error.message }));
    child.on("close", (code) => resolve({ code: code ?? -1, output }));
  });
}

/** Runs npm, if possible the one that started us. */
export function runNpm(args, cwd) {
  const quiet = [...args, "--no-audit", "--no-fund", "--loglevel=error", "--no-progress"];
  const script = process.env.npm_execpath;
  return script?.endsWith(".js")
    ? runTool(process.execPath, [script, ...quiet], { cwd })
    : runTool("npm", quiet, { cwd });
}

/** Returns the lines of a failed run that explain the failure, at most `max`. */
export function reasonLines(output, max = 6) {
  const lines = output.split("\n").map((line) => line.trimEnd());
  const telling = lines.filter((line) => /err|fail|unable|cannot|could not|denied/i.test(line));
  const useful = (telling.length > 0 ? telling : lines).filter(
    (line) => line !== "" && !/complete log of this run|_logs|^(npm error)?\s+at /.test(line),
  );
  return useful
    .slice(0, max)
    .map((line) => `  ${line}`)
    .join("\n");
}
