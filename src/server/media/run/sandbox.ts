import { spawn } from "node:child_process";

/** Limits that the kernel enforces for one process. */
export interface ProcessLimits {
  /** Address space (RLIMIT_AS), which includes memory that is reserved and never used. */
  addressSpaceBytes: number;
  /** Processor time of all threads together (RLIMIT_CPU). */
  cpuS: number;
}

/** Starts programs that read untrusted files. */
export interface Sandbox {
  /** For operators: which restrictions this machine does not support. */
  description: string;
  wrap(
    program: string,
    args: string[],
    limits: ProcessLimits,
    isUrgent: boolean,
  ): { program: string; args: string[] };
}

/** Priority of background media work, below that of requests. */
const niceness = 10;

/**
 * Tests which restrictions this machine supports, by running each once. Each one is a program that
 * replaces itself by the next (`exec`), so the process id is the one of the media tool. They are:
 * limits (prlimit, else the shell's ulimit), priority, an empty network (unshare, as root or in a
 * user namespace of its own), no privileges, and termination with the parent (setpriv).
 */
export async function createSandbox(): Promise<Sandbox> {
  const [prlimit, network, userNetwork, privileges, death, nice] = await Promise.all([
    works(["prlimit", "--core=0", "--nofile=256"]),
    works(["unshare", "--net"]),
    works(["unshare", "--user", "--map-current-user", "--net"]),
    works([...parentDeath, ...noPrivileges, ...noCapabilities]),
    works(parentDeath),
    works(["nice", "-n", String(niceness)]),
  ]);
  const networkPrefix = network
    ? ["unshare", "--net"]
    : userNetwork
      ? ["unshare", "--user", "--map-current-user", "--net"]
      : [];
  const privilegePrefix = privileges
    ? [...parentDeath, ...noPrivileges, ...noCapabilities]
    : death
      ? parentDeath
      : [];
  const missing = [
    ...(prlimit ? [] : ["prlimit"]),
    ...(networkPrefix.length > 0 ? [] : ["network namespace"]),
    ...(privileges ? [] : ["dropped privileges"]),
    ...(death ? [] : ["death with the parent"]),
  ];

  return {
    description: missing.length === 0 ? "complete" : `without ${missing.join(", ")}`,
    wrap(program, args, limits, isUrgent) {
      const cpuS = Math.max(1, Math.ceil(limits.cpuS));
      const inner = [
        ...(nice && !isUrgent ? ["nice", "-n", String(niceness)] : []),
        ...networkPrefix,
        ...privilegePrefix,
        program,
        ...args,
      ];
      const command = prlimit
        ? [
            "prlimit",
            `--as=${Math.ceil(limits.addressSpaceBytes)}`,
            `--cpu=${cpuS}:${cpuS + 5}`,
            "--core=0",
            "--nofile=256",
            ...inner,
          ]
        : [
            "sh",
            "-c",
            `ulimit -c 0; ulimit -t ${cpuS}; ulimit -v ${Math.ceil(limits.addressSpaceBytes / 1024)} 2>/dev/null; exec "$@"`,
            "sh",
            ...inner,
          ];
      const [first = program, ...rest] = command;
      return { program: first, args: rest };
    },
  };
}

// Last in the chain: a change of credentials clears the parent-death signal.
const parentDeath = ["setpriv", "--pdeathsig", "KILL"];
const noPrivileges = ["--no-new-privs"];
const noCapabilities = ["--inh-caps=-all", "--bounding-set=-all"];

async function works(prefix: string[]): Promise<boolean> {
  const [program = "", ...args] = prefix;
  return new Promise((resolve) => {
    const child = spawn(program, [...args, "true"], { stdio: "ignore", timeout: 5000 });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
  });
}
