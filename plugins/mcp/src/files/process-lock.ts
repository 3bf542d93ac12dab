import { randomUUID } from "node:crypto"
import { type FileHandle, link, mkdir, open, readFile, rm, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { currentProcess, isDead, type ProcessIdentity } from "@pawl/storage-kit"

// A lock is a file that says whose it is, and appears whole or not at all. Its owner touches it every second. Who waits takes
// it for left behind when its process is gone, or when it was not touched for a while by the waiter's own clock: clocks of
// the wall may jump, and processes of other hosts cannot be seen. Who removes a lock that was left behind holds the lock on
// that, which is named after the dead owner's token: two cannot both remove it, and nobody removes the next owner's.

interface Owner extends ProcessIdentity {
  readonly token: string
}

export interface LockOptions {
  /** `false`: resolve with undefined when somebody has it. */
  readonly wait?: boolean
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
}

/** Milliseconds. */
const BEAT = 1000
const STALE = 6000
const POLL = 20

/** Does the work while nobody else does work under this lock, in any process. Undefined: not done, as `wait` is false. */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  options: LockOptions = {},
): Promise<T | undefined> {
  const owner: Owner = { token: randomUUID(), ...currentProcess() }
  const own = await writeOwner(path, owner)
  try {
    if (!(await take(path, own.path, options))) return undefined
    const beat = setInterval(() => void touch(own.file), BEAT)
    beat.unref()
    try {
      return await work()
    } finally {
      clearInterval(beat)
      if ((await readOwner(path))?.token === owner.token) await rm(path, { force: true })
    }
  } finally {
    await own.file.close()
    await rm(own.path, { force: true })
  }
}

async function take(path: string, own: string, { wait = true, signal }: LockOptions): Promise<boolean> {
  const isLeft = createWatch(path)
  for (;;) {
    signal?.throwIfAborted()
    if (await linked(own, path)) return true
    const left = await isLeft()
    if (left) await removeLeft(path, left, own)
    else if (wait) await delay(POLL, undefined, { signal })
    else return false
  }
}

/** Tells whose lock was left behind, as far as looks at it can tell. */
function createWatch(path: string): () => Promise<Owner | undefined> {
  let seen = ""
  let since = 0
  return async () => {
    const [owner, touched] = await Promise.all([readOwner(path), stat(path).catch(() => undefined)])
    if (!owner || !touched) return undefined
    const look = `${owner.token} ${touched.mtimeMs}`
    if (look !== seen) {
      seen = look
      since = performance.now()
    }
    return isDead(owner, currentProcess()) || performance.now() - since > STALE ? owner : undefined
  }
}

async function removeLeft(path: string, left: Owner, own: string): Promise<void> {
  const guard = `${path}.${left.token}`
  if (!(await linked(own, guard))) {
    const other = await readOwner(guard)
    if (other && isDead(other, currentProcess())) await removeLeft(guard, other, own)
    else await delay(POLL)
    return
  }
  try {
    if ((await readOwner(path))?.token !== left.token) return
    await rm(path, { force: true })
    // Its own name, which it could not remove.
    await rm(ownerPath(path, left.token), { force: true })
  } finally {
    await rm(guard, { force: true })
  }
}

function ownerPath(path: string, token: string): string {
  return `${path}.owner-${token}`
}

async function writeOwner(path: string, owner: Owner): Promise<{ readonly path: string; readonly file: FileHandle }> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const own = ownerPath(path, owner.token)
  const file = await open(own, "wx", 0o600)
  await file.writeFile(JSON.stringify(owner))
  return { path: own, file }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as Owner
  } catch {
    // It was released a moment ago.
    return undefined
  }
}

async function touch(file: FileHandle): Promise<void> {
  const now = new Date()
  // It is of use to others alone.
  await file.utimes(now, now).catch(() => undefined)
}
