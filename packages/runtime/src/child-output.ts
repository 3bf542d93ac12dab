/** File descriptors. */
const STDOUT = 1
const STDERR = 2

const STDOUT_NAMES: readonly unknown[] = [STDOUT, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
/** Functions of `node:fs` whose first argument is the target. */
const WRITING = [
  ...(["write", "writeSync", "writev", "writevSync"] as const),
  ...(["writeFile", "writeFileSync", "appendFile", "appendFileSync"] as const),
]

type Options = { readonly stdio?: unknown } | undefined
type Call = (...args: readonly unknown[]) => unknown

let isRedirected = false

/**
 * Redirects stdout of child processes that inherit it to stderr, and also writes of this process to the descriptor of
 * stdout. For code that is not pawl's. Repeated calls do nothing.
 */
export function keepDescriptors(): void {
  if (isRedirected) return
  isRedirected = true
  const children = process.getBuiltinModule("node:child_process")
  const files = process.getBuiltinModule("node:fs")
  // All asynchronous functions use this one, including `fork` and `exec`.
  const { prototype } = children.ChildProcess as unknown as { prototype: { spawn: Call } }
  const { spawn } = prototype
  prototype.spawn = function (this: unknown, ...args) {
    return spawn.apply(this, args.map(withoutStdout))
  }
  for (const name of ["spawnSync", "execFileSync", "execSync"] as const) {
    replace(children, name, (...args) => args.map(withoutStdout))
  }
  for (const name of WRITING) {
    replace(files, name, (target, ...rest) => [STDOUT_NAMES.includes(target) ? STDERR : target, ...rest])
  }
  process.getBuiltinModule("node:module").syncBuiltinESMExports()
}

function replace(holder: object, name: string, change: (...args: readonly unknown[]) => readonly unknown[]): void {
  const table = holder as Record<string, Call>
  const original = table[name] as Call
  const changed: Call = (...args) => original(...change(...args))
  table[name] = Object.defineProperties(changed, Object.getOwnPropertyDescriptors(original))
}

/** Returns options whose `stdio` does not contain stdout. Other values are returned unchanged. */
function withoutStdout(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  const { stdio } = value as NonNullable<Options>
  if (stdio === "inherit") return { ...value, stdio: ["inherit", STDERR, "inherit"] }
  if (!Array.isArray(stdio)) return value
  const channels = stdio.map((channel: unknown, at) =>
    channel === STDOUT || (channel === "inherit" && at === STDOUT) ? STDERR : channel,
  )
  return { ...value, stdio: channels }
}
