import { randomUUID } from "node:crypto"
import { type FileHandle, link, mkdir, open, readFile, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { currentProcess, isDead, type ProcessIdentity } from "@pawl/storage-kit"

/** A process that holds a lock or waits for it. */
export interface Owner extends ProcessIdentity {
  readonly token: string
}

/** An owner's file: the lock is a second name of it. */
export interface OwnerFile {
  readonly owner: Owner
  readonly path: string
  /** Tells those who cannot see the process that it lives. */
  touch(): Promise<void>
  remove(): Promise<void>
}

/** Makes the directories above it too. */
export async function createOwnerFile(lock: string): Promise<OwnerFile> {
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 })
  const owner: Owner = { token: randomUUID(), ...currentProcess() }
  const path = ownerPath(lock, owner.token)
  const file = await open(path, "wx", 0o600)
  await file.writeFile(JSON.stringify(owner))
  return {
    owner,
    path,
    touch: () => touch(file),
    async remove() {
      await file.close()
      await rm(path, { force: true })
    },
  }
}

export function ownerPath(lock: string, token: string): string {
  return `${lock}.owner-${token}`
}

/** Returns undefined if the lock was free when it was read. */
export async function readOwner(lock: string): Promise<Owner | undefined> {
  const text = await readFile(lock, "utf8").catch(() => undefined)
  return text === undefined ? undefined : (parseOwner(text) ?? NOBODY_KNOWN)
}

/** Whose it is cannot be read: a file that a power cut has emptied, or that something else has made. */
const NOBODY_KNOWN: Owner = { token: "unreadable", boot: "", host: "", pid: 0, start: "" }

function parseOwner(text: string): Owner | undefined {
  try {
    const { token, boot, host, pid, start } = JSON.parse(text) as Owner
    const isOwner = [boot, host, start].every((each) => typeof each === "string") && Number.isInteger(pid)
    // It becomes a part of file names.
    return isOwner && /^[\w-]+$/.test(token) ? { token, boot, host, pid, start } : undefined
  } catch {
    return undefined
  }
}

/** Gives the owner's file the name of the lock. Returns false if the lock is taken. */
export async function linked(owner: string, lock: string): Promise<boolean> {
  try {
    await link(owner, lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

/** `unseen`: the owner runs on another machine, or the system does not show enough of it. */
export function lifeOf(owner: Owner): "dead" | "alive" | "unseen" {
  const self = currentProcess()
  // Of another machine the boot says nothing either: it is always another one.
  if (owner.host !== self.host) return "unseen"
  if (isDead(owner, self)) return "dead"
  return owner.start === "" ? "unseen" : "alive"
}

async function touch(file: FileHandle): Promise<void> {
  const now = new Date()
  // It is of use to others alone.
  await file.utimes(now, now).catch(() => undefined)
}
