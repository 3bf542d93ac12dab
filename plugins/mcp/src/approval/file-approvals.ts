import { mkdir, readFile, rm, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { z } from "zod"
import { writeWhole } from "../files/write-whole.ts"
import type { Approvals, ServerKey } from "./approvals.ts"

const entry = z.object({
  hash: z.string(),
  tools: z.record(z.string(), z.string()).optional(),
  /** Epoch milliseconds. */
  time: z.number(),
})
const file = z.object({ version: z.literal(1), servers: z.record(z.string(), entry) })
type Entries = z.infer<typeof file>["servers"]

/** Milliseconds after which a lock's holder counts as dead, and between two looks. */
const STALE = 10_000
const POLL = 25

/** Approvals in a JSON file that its owner alone may read and write. What cannot be read has allowed nothing. */
export function createFileApprovals(path: string, now: () => number = Date.now): Approvals {
  let queue: Promise<unknown> = Promise.resolve()

  async function read(): Promise<Entries> {
    try {
      // Whoever may write it may allow everything.
      if (process.platform !== "win32" && ((await stat(path)).mode & 0o022) !== 0) return {}
      return file.parse(JSON.parse(await readFile(path, "utf8"))).servers
    } catch {
      return {}
    }
  }

  function change(edit: (servers: Entries) => Entries): Promise<void> {
    const changing = queue.then(() =>
      locked(`${path}.lock`, async () => {
        const servers = edit(await read())
        await writeWhole(path, `${JSON.stringify({ version: 1, servers }, undefined, 2)}\n`)
      }),
    )
    queue = changing.catch(() => undefined)
    return changing
  }

  return {
    async state(server, hash) {
      const found = (await read())[keyOf(server)]
      if (!found) return "unknown"
      return found.hash === hash ? "allowed" : "changed"
    },
    async tools(server, hash) {
      const found = (await read())[keyOf(server)]
      return found?.hash === hash ? found.tools : undefined
    },
    allow: (server, hash, tools) =>
      change((servers) => {
        return { ...servers, [keyOf(server)]: { hash, ...(tools ? { tools: { ...tools } } : {}), time: now() } }
      }),
    forget: (server) =>
      change((servers) => Object.fromEntries(Object.entries(servers).filter(([key]) => key !== keyOf(server)))),
  }
}

function keyOf({ name, scope, directory }: ServerKey): string {
  return scope === "user" ? `user:${name}` : `project:${name}:${directory}`
}

/** A directory is made by one process alone. */
async function locked<T>(lock: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 })
  for (;;) {
    try {
      await mkdir(lock)
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
      const made = await stat(lock).then(
        ({ mtimeMs }) => mtimeMs,
        () => undefined,
      )
      if (made !== undefined && Date.now() - made > STALE) await rm(lock, { recursive: true, force: true })
      else await delay(POLL)
    }
  }
  try {
    return await work()
  } finally {
    await rm(lock, { recursive: true, force: true })
  }
}
