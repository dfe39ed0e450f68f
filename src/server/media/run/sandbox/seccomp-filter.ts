import { endianness } from "node:os";

/** Denied system calls by name, with their numbers on x86_64 and arm64 (null where missing). */
const denied: Record<string, readonly [x64: number | null, arm64: number | null]> = {
  // Sockets. The tools only write to open pipes.
  socket: [41, 198],
  socketpair: [53, 199],
  connect: [42, 203],
  accept: [43, 202],
  accept4: [288, 242],
  bind: [49, 200],
  listen: [50, 201],
  sendto: [44, 206],
  recvfrom: [45, 207],
  sendmsg: [46, 211],
  recvmsg: [47, 212],
  sendmmsg: [307, 269],
  recvmmsg: [299, 243],
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  process_madvise: [440, 440],
  perf_event_open: [298, 241],
  // Mounts and namespaces.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  unshare: [272, 97],
  setns: [308, 268],
  // Links and special files.
  symlink: [88, null],
  symlinkat: [266, 36],
  link: [86, null],
  linkat: [265, 37],
  mknod: [133, null],
  mknodat: [259, 33],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  // Memory outside of the address space limit.
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  shmat: [30, 196],
  msgget: [68, 186],
  semget: [64, 190],
  // The kernel's largest attack surfaces, and the machine itself.
  bpf: [321, 280],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  userfaultfd: [323, 282],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  fanotify_init: [300, 262],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  syslog: [103, 116],
  acct: [163, 89],
  swapon: [167, 224],
  swapoff: [168, 225],
  quotactl: [179, 60],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  personality: [135, 92],
  iopl: [172, null],
  ioperm: [173, null],
  modify_ldt: [154, null],
};

interface Architecture {
  /** AUDIT_ARCH_* of linux/audit.h. */
  auditArch: number;
  column: 0 | 1;
  clone: number;
  /**
   * clone3 passes its flags in memory, where a filter can't read them. glibc then falls back to
   * clone.
   */
  clone3: number;
}

const architectures: Partial<Record<string, Architecture>> = {
  x64: { auditArch: 0xc000003e, column: 0, clone: 56, clone3: 435 },
  arm64: { auditArch: 0xc00000b7, column: 1, clone: 220, clone3: 435 },
};

// linux/bpf_common.h and linux/seccomp.h
const loadWord = 0x20;
const jumpIfEqual = 0x15;
const jumpIfGreaterOrEqual = 0x35;
const jumpIfAnyBit = 0x45;
const doReturn = 0x06;
const allow = 0x7fff0000;
const killProcess = 0x80000000;
const failWith = (errno: number): number => 0x00050000 | errno;
const eperm = 1;
const enosys = 38;
/** CLONE_NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET, NEWNS. */
const namespaceFlags = 0x7e020000;
/** Bit that is set in system calls of the x32 ABI. We don't use that ABI. */
const x32Bit = 0x40000000;

/**
 * Builds a seccomp filter in the kernel's format: an array of `struct sock_filter` (8 bytes each).
 * It denies the calls above with EPERM and allows all others. It kills programs of another
 * architecture. Returns null for an architecture that has no table here.
 */
export function createSeccompFilter(arch: string = process.arch): Buffer | null {
  const target = architectures[arch];
  if (target === undefined || endianness() !== "LE") return null;
  const numbers = Object.values(denied)
    .map((columns) => columns[target.column])
    .filter((number) => number !== null);

  const program: [code: number, ifTrue: number, ifFalse: number, value: number][] = [
    [loadWord, 0, 0, 4],
    [jumpIfEqual, 1, 0, target.auditArch],
    [doReturn, 0, 0, killProcess],
    [loadWord, 0, 0, 0],
    [jumpIfGreaterOrEqual, 0, 1, x32Bit],
    [doReturn, 0, 0, failWith(enosys)],
    [jumpIfEqual, 0, 1, target.clone3],
    [doReturn, 0, 0, failWith(enosys)],
    ...numbers.flatMap((number): typeof program => [
      [jumpIfEqual, 0, 1, number],
      [doReturn, 0, 0, failWith(eperm)],
    ]),
    [jumpIfEqual, 0, 3, target.clone],
    [loadWord, 0, 0, 16],
    [jumpIfAnyBit, 0, 1, namespaceFlags],
    [doReturn, 0, 0, failWith(eperm)],
    [doReturn, 0, 0, allow],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [i, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, i * 8);
    bytes.writeUInt8(ifTrue, i * 8 + 2);
    bytes.writeUInt8(ifFalse, i * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, i * 8 + 4);
  }
  return bytes;
}
