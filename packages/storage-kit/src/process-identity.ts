import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

/** Identifies a process, so that other processes can check if it still runs. */
export interface ProcessIdentity {
  /** Id of the machine's boot; "unknown" if the system does not provide it. */
  readonly boot: string
  /** Scope of `pid`: the host name, on Linux together with the process-id namespace. */
  readonly host: string
  readonly pid: number
  /** Start time in the system's own format, which distinguishes processes with the same id. "" if unknown. */
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

/** Returns true only if the death is certain. A process of another host counts as alive. */
export function isDead(owner: ProcessIdentity, self: ProcessIdentity): boolean {
  // Every process of an earlier boot is gone.
  if (owner.boot !== self.boot) return true
  if (owner.host !== self.host) return false
  if (!exists(owner.pid)) return true
  const stat = readStat(owner.pid)
  if (!stat) return false
  // A zombie no longer runs; its parent has not collected its exit status yet.
  return stat.state === "Z" || stat.state === "X" || (owner.start !== "" && stat.start !== owner.start)
}

/** `unknown`: the process runs on another host, or this system does not show enough of it. */
export type ProcessLife = "dead" | "alive" | "unknown"

export function lifeOf(owner: ProcessIdentity, self: ProcessIdentity): ProcessLife {
  if (isDead(owner, self)) return "dead"
  return owner.host === self.host && owner.start !== "" ? "alive" : "unknown"
}

/**
 * Like `lifeOf`, for storages that several machines open. Host names are not unique and a boot of another machine proves
 * nothing here, so the result is `unknown` unless the process belongs to this boot and this process-id namespace.
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
    // EPERM: the process runs as another user.
    return (error as NodeJS.ErrnoException).code !== "ESRCH"
  }
}

/** Parses `pid (name) state … start …`. The name may contain parentheses, so fields count from the last one. */
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
    // Only Linux has process-id namespaces.
    return ""
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim()
  } catch {
    // The system has no /proc, or the process has ended.
    return undefined
  }
}
