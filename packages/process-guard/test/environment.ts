import { readFileSync } from "node:fs"

/** The environment of a process; empty if it has ended. */
export function environmentOf(id: number): string {
  try {
    return readFileSync(`/proc/${id}/environ`, "latin1")
  } catch {
    return ""
  }
}
