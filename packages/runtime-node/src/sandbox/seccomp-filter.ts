/**
 * Creates a filter for system calls that sandboxed code does not need, in the kernel's format (classic BPF).
 * Undefined on processors whose numbers are not listed here; the namespaces still apply.
 */
export function seccompFilter(architecture: string): Buffer | undefined {
  if (architecture !== "x64") return undefined;
  const program = [
    load(ARCHITECTURE_AT),
    jumpIfEqual(AUDIT_ARCH_X86_64, 1, 0),
    give(KILL_PROCESS),
    load(NUMBER_AT),
    jumpIfAtLeast(X32_BIT, 0, 1),
    give(KILL_PROCESS),
    ...DENIED.flatMap((number) => [jumpIfEqual(number, 0, 1), give(errno(EPERM))]),
    ...socketRule(),
    ...ioctlRule(),
    give(ALLOW),
  ];
  return Buffer.concat(program);
}

/** Allows sockets of this machine and of the (empty) network only: no raw packets, no exotic protocols. */
function socketRule(): readonly Buffer[] {
  const families = [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK];
  const checks = families.map((family, index) =>
    index === families.length - 1
      ? jumpIfEqual(family, 0, 1)
      : jumpIfEqual(family, families.length - 1 - index, 0),
  );
  const rule = [load(FIRST_ARGUMENT_AT), ...checks, give(ALLOW), give(errno(EAFNOSUPPORT))];
  return [jumpIfEqual(SYS_SOCKET, 0, rule.length), ...rule];
}

/** Denies typing into a terminal. The kernel looks at the low 32 bits, so the filter does too. */
function ioctlRule(): readonly Buffer[] {
  const rule = [
    load(SECOND_ARGUMENT_AT),
    jumpIfEqual(TIOCSTI, 1, 0),
    jumpIfEqual(TIOCLINUX, 0, 1),
    give(errno(EPERM)),
    give(ALLOW),
  ];
  return [jumpIfEqual(SYS_IOCTL, 0, rule.length), ...rule];
}

function load(offset: number): Buffer {
  return instruction(0x20, 0, 0, offset);
}

function jumpIfEqual(value: number, ifTrue: number, ifFalse: number): Buffer {
  return instruction(0x15, ifTrue, ifFalse, value);
}

function jumpIfAtLeast(value: number, ifTrue: number, ifFalse: number): Buffer {
  return instruction(0x35, ifTrue, ifFalse, value);
}

function give(verdict: number): Buffer {
  return instruction(0x06, 0, 0, verdict);
}

function instruction(...[code, ifTrue, ifFalse, value]: [number, number, number, number]): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}

function errno(code: number): number {
  return 0x0005_0000 + code;
}

// Offsets in struct seccomp_data.
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const FIRST_ARGUMENT_AT = 16;
const SECOND_ARGUMENT_AT = 24;

const AUDIT_ARCH_X86_64 = 0xc000_003e;
const X32_BIT = 0x4000_0000;
const KILL_PROCESS = 0x8000_0000;
const ALLOW = 0x7fff_0000;
const EPERM = 1;
const EAFNOSUPPORT = 97;

const SYS_SOCKET = 41;
const SYS_IOCTL = 16;
const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

// ptrace and the memory of others; mounts and roots; namespaces; kernel modules, tracing, keys, io_uring.
const DENIED = [
  ...[101, 310, 311, 312],
  ...[155, 161, 165, 166, 428, 429, 430, 431, 432, 433, 442],
  ...[272, 308],
  ...[175, 176, 313, 246, 320, 169, 167, 168, 163, 103, 179, 135],
  ...[248, 249, 250, 298, 304, 321, 323, 425, 426, 427],
];
