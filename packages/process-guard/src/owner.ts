import { createHash } from "node:crypto"
import { isDead, type ProcessIdentity } from "@pawl/storage-kit"

//   mark of a call:   <call>.<host>.<boot>.<pid>.<start>          owner: all but the call
const OWNER = /^([0-9a-f]{16})\.([0-9a-f]{16})\.(\d{1,10})\.(\d{0,20})$/

/** Stands for processes that no call started: those of plugins, of the user's tools, of pawl itself. */
export const NO_CALL = ""

/** Names a process uniquely on its host. Valid as a file name. */
export function ownerName({ host, boot, pid, start }: ProcessIdentity): string {
  return `${digest(host)}.${digest(boot)}.${pid}.${start}`
}

export function isOwnerName(name: string): boolean {
  return OWNER.test(name)
}

/** Returns the mark for processes of a call. */
export function callMark(key: string, owner: string): string {
  return `${callName(key)}.${owner}`
}

/** Returns the part of a mark that names the call. */
export function callName(key: string): string {
  return digest(key)
}

export function callOfMark(mark: string): string {
  return mark.slice(0, mark.indexOf("."))
}

/** Returns undefined for other marks, such as that of a single command. */
export function ownerOfMark(mark: string): string | undefined {
  const owner = mark.slice(mark.indexOf(".") + 1)
  return OWNER.test(owner) ? owner : undefined
}

/** `unknown`: the owner ran on another host or during another boot. */
export type OwnerLife = "alive" | "dead" | "unknown"

/** `dead` is certain: the process id is free or has been reused. Invalid names are `unknown`. */
export function lifeOfOwner(name: string, self: ProcessIdentity): OwnerLife {
  const [, host, boot, pid, start = ""] = OWNER.exec(name) ?? []
  // Host names are not unique, so another boot may be another machine.
  if (host !== digest(self.host) || boot !== digest(self.boot)) return "unknown"
  return isDead({ ...self, pid: Number(pid), start }, self) ? "dead" : "alive"
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16)
}
