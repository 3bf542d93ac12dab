import { readdir, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { lifeOf, linked, type Owner, ownerPath, readOwner } from "./lock-owner.ts"

/** Milliseconds without a touch after which an owner that cannot be seen counts as gone. */
const STALE = 6000

/**
 * Looks at a lock again and again, and tells whose it was when it was left behind. An owner that can be seen is left alone
 * for as long as it lives, stopped or busy as it may be; of others it counts how long they were not heard of, by
 * the clock of the one who waits: those of the wall may jump.
 */
export function createWatch(lock: string, now = () => performance.now()): () => Promise<Owner | undefined> {
  let seen = ""
  let since = 0
  return async () => {
    const [owner, touched] = await Promise.all([readOwner(lock), stat(lock).catch(() => undefined)])
    if (!owner || !touched) return undefined
    const look = `${owner.token} ${touched.mtimeMs}`
    if (look !== seen) {
      seen = look
      since = now()
    }
    const life = lifeOf(owner)
    return life === "dead" || (life === "unseen" && now() - since > STALE) ? owner : undefined
  }
}

/**
 * Removes the lock of a dead owner, under another lock that is named after the dead owner's token. So two processes cannot
 * both remove it, and a new owner's lock is never removed.
 */
export async function removeLeft(lock: string, left: Owner, own: string): Promise<void> {
  const guard = `${lock}.${left.token}`
  if (!(await linked(own, guard))) {
    const other = await readOwner(guard)
    if (other && lifeOf(other) === "dead") await removeLeft(guard, other, own)
    else await delay(10)
    return
  }
  try {
    if ((await readOwner(lock))?.token !== left.token) return
    await rm(lock, { force: true })
    // Its own name, which it could not remove.
    await rm(ownerPath(lock, left.token), { force: true })
  } finally {
    await rm(guard, { force: true })
  }
}

/** The files of those who died while they waited for a lock. */
export async function removeDeadOwners(lock: string): Promise<void> {
  const beginning = basename(ownerPath(lock, ""))
  // Where they cannot be seen they stay: the lock itself needs none of them.
  const names = await readdir(dirname(lock)).catch(() => [])
  for (const name of names.filter((each) => each.startsWith(beginning))) {
    const path = join(dirname(lock), name)
    const owner = await readOwner(path)
    if (owner && lifeOf(owner) === "dead") await rm(path, { force: true })
  }
}
