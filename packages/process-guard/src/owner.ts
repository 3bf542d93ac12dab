import { createHash } from "node:crypto"
import { isDead, type ProcessIdentity } from "@pawl/storage-kit"

//   mark of a call:   <call>.<host>.<boot>.<pid>.<start>          owner: all but the call
const OWNER = /^([0-9a-f]{16})\.([0-9a-f]{16})\.(\d{1,10})\.(\d{0,20})$/

/** The call of what no call started: a plugin, a tool of the user's, pawl itself. */
export const NO_CALL = ""

/** Names a process for others of its host. The form of a file name. */
export function ownerName({ host, boot, pid, start }: ProcessIdentity): string {
  return `${digest(host)}.${digest(boot)}.${pid}.${start}`
}

/** True if the name has the form that `ownerName` gives. */
export function isOwnerName(name: string): boolean {
  return OWNER.test(name)
}

/** Marks what a process starts for a call. */
export function callMark(key: string, owner: string): string {
  return `${callName(key)}.${owner}`
}

/** Names a call in marks. */
export function callName(key: string): string {
  return digest(key)
}

export function callOfMark(mark: string): string {
  return mark.slice(0, mark.indexOf("."))
}

/** Returns undefined for a mark of another kind, such as a single command's. */
export function ownerOfMark(mark: string): string | undefined {
  const owner = mark.slice(mark.indexOf(".") + 1)
  return OWNER.test(owner) ? owner : undefined
}

/** `unknown`: it ran on another host, or during another boot of a host of this name. */
export type OwnerLife = "alive" | "dead" | "unknown"

/** `dead` is certain: the process id is free or belongs to a later process. Unknown for what names no process. */
export function lifeOfOwner(name: string, self: ProcessIdentity): OwnerLife {
  const [, host, boot, pid, start = ""] = OWNER.exec(name) ?? []
  // Host names are not unique, so another boot may be another machine.
  if (host !== digest(self.host) || boot !== digest(self.boot)) return "unknown"
  return isDead({ ...self, pid: Number(pid), start }, self) ? "dead" : "alive"
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16)
}
