/** Descriptors. */
const STDOUT = 1
const STDERR = 2

const STDOUT_NAMES: readonly unknown[] = [STDOUT, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
/** Functions of `node:fs` whose first argument says where to. */
const WRITING = [
  ...(["write", "writeSync", "writev", "writevSync"] as const),
  ...(["writeFile", "writeFileSync", "appendFile", "appendFileSync"] as const),
]

type Options = { readonly stdio?: unknown } | undefined
type Call = (...given: readonly unknown[]) => unknown

let isKept = false

/**
 * Has child processes that inherit stdout write to stderr, and what writes to the descriptor of stdout as well. For code
 * that is not pawl's; once is enough for a process.
 */
export function keepDescriptors(): void {
  if (isKept) return
  isKept = true
  const children = process.getBuiltinModule("node:child_process")
  const files = process.getBuiltinModule("node:fs")
  // Whatever starts a process without waiting for it comes by here, `fork` and `exec` as well.
  const { prototype } = children.ChildProcess as unknown as { prototype: { spawn: Call } }
  const { spawn } = prototype
  prototype.spawn = function (this: unknown, ...given) {
    return spawn.apply(this, given.map(withoutStdout))
  }
  for (const name of ["spawnSync", "execFileSync", "execSync"] as const) {
    replace(children, name, (...given) => given.map(withoutStdout))
  }
  for (const name of WRITING) {
    replace(files, name, (target, ...rest) => [STDOUT_NAMES.includes(target) ? STDERR : target, ...rest])
  }
  process.getBuiltinModule("node:module").syncBuiltinESMExports()
}

function replace(holder: object, name: string, change: (...given: readonly unknown[]) => readonly unknown[]): void {
  const table = holder as Record<string, Call>
  const original = table[name] as Call
  const changed: Call = (...given) => original(...change(...given))
  table[name] = Object.defineProperties(changed, Object.getOwnPropertyDescriptors(original))
}

/** Options whose `stdio` leads nowhere to stdout; everything else as it is. */
function withoutStdout(given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given
  const { stdio } = given as NonNullable<Options>
  if (stdio === "inherit") return { ...given, stdio: ["inherit", STDERR, "inherit"] }
  if (!Array.isArray(stdio)) return given
  const channels = stdio.map((channel: unknown, at) =>
    channel === STDOUT || (channel === "inherit" && at === STDOUT) ? STDERR : channel,
  )
  return { ...given, stdio: channels }
}
