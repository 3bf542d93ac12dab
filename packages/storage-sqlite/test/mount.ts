import { execFileSync } from "node:child_process"

export const NEEDS_MOUNT = "This user may not mount."

/** Runs a command with mounts of its own, which end with it. */
export const inMountNamespace = ["unshare", "--mount"]

export function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false
  try {
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}
