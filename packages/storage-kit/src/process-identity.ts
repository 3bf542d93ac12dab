import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

/** Tells one process from all others, so that others can see whether it still lives. */
export interface ProcessIdentity {
  /** One boot of a machine; "unknown" where the system does not tell. */
  readonly boot: string
  /** Where the process id means something: a host, on Linux together with its process-id namespace. */
  readonly host: string
  readonly pid: number
  /** When it started, in the system's own terms: tells a process from a later one with its id. "" when not known. */
  readonly start: string
}

const UNKNOWN_BOOT = "unknown"

export function currentProcess(): ProcessIdentity {
  return {
    boot: readText("/proc/sys/kernel/random/boot_id") ?? UNKNOWN_BOOT,
    host: `${hostname()} ${pidNamespace()}`.trim(),
    pid: process.pid,
    start: readStat(process.pid)?.start ?? "",
  }
}

/** True only when it is certain. A process of another host cannot be seen from here. */
export function isDead(owner: ProcessIdentity, self: ProcessIdentity): boolean {
  // Every process of an earlier boot is gone.
  if (owner.boot !== self.boot) return true
  if (owner.host !== self.host) return false
  if (!exists(owner.pid)) return true
  const stat = readStat(owner.pid)
  if (!stat) return false
  // A zombie runs no more; its parent has yet to take note.
  return stat.state === "Z" || stat.state === "X" || (owner.start !== "" && stat.start !== owner.start)
}

/** `unknown`: the process runs on another host, or this system shows too little of it. */
export type ProcessLife = "dead" | "alive" | "unknown"

/** The state of a process of this machine, as of a moment ago. */
export function lifeOf(owner: ProcessIdentity, self: ProcessIdentity): ProcessLife {
  if (isDead(owner, self)) return "dead"
  return owner.host === self.host && owner.start !== "" ? "alive" : "unknown"
}

/**
 * The same for a process of any machine. Host names are not unique and another machine's boot ends nothing here, so only
 * a process of this boot and this process-id namespace can be seen.
 */
export function lifeOnAnyMachine(owner: ProcessIdentity, self: ProcessIdentity): ProcessLife {
  const isVisible = owner.boot !== UNKNOWN_BOOT && owner.boot === self.boot && owner.host === self.host
  return isVisible ? lifeOf(owner, self) : "unknown"
}

/** Returns undefined unless the value has all fields of an identity. */
export function toProcessIdentity(value: unknown): ProcessIdentity | undefined {
  if (typeof value !== "object" || value === null) return undefined
  const { boot, host, pid, start } = value as Readonly<Record<string, unknown>>
  const isText = typeof boot === "string" && typeof host === "string" && typeof start === "string"
  // 0 and negative numbers name groups of processes.
  return isText && Number.isSafeInteger(pid) && Number(pid) > 0 ? { boot, host, pid: Number(pid), start } : undefined
}

/** The host's name without its process-id namespace, and the process id. */
export function processName({ host, pid }: ProcessIdentity): { readonly host: string; readonly pid: number } {
  return { host: host.split(" ", 1)[0] ?? "", pid }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: it lives, as another user.
    return (error as NodeJS.ErrnoException).code !== "ESRCH"
  }
}

/** From `pid (name) state … start …`; the name may hold anything, so fields count from its last parenthesis. */
function readStat(pid: number): { state: string; start: string } | undefined {
  const text = readText(`/proc/${pid}/stat`)
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ")
  const [state, start] = [fields?.[0], fields?.[19]]
  return state !== undefined && start !== undefined ? { state, start } : undefined
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid")
  } catch {
    // Only Linux has them.
    return ""
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim()
  } catch {
    // Not on this system, or the process is gone.
    return undefined
  }
}
