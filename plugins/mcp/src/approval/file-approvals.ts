import { readFile, rename, stat } from "node:fs/promises"
import { z } from "zod"
import { withLock } from "@pawl/process-lock"
import { writeWhole } from "@pawl/files/durable-file"
import type { Approvals, ServerKey } from "./approvals.ts"

const entry = z.object({
  hash: z.string(),
  tools: z.record(z.string(), z.string()).optional(),
  /** Epoch milliseconds. */
  time: z.number(),
})
const file = z.object({ version: z.literal(1), servers: z.record(z.string(), entry) })
type Entries = z.infer<typeof file>["servers"]

/**
 * Stores approvals in a JSON file that only its owner can read and write. An unreadable file allows nothing, and no
 * first tools either. The next approval renames it.
 */
export function createFileApprovals(path: string, now: () => number = Date.now): Approvals {
  async function read(): Promise<Entries | "unreadable"> {
    try {
      // A process that can write the file could allow everything.
      if (process.platform !== "win32" && ((await stat(path)).mode & 0o022) !== 0) return "unreadable"
      return file.parse(JSON.parse(await readFile(path, "utf8"))).servers
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ENOENT" ? {} : "unreadable"
    }
  }

  async function find(server: ServerKey, hash: string) {
    const servers = await read()
    if (servers === "unreadable") return { state: "unknown", tools: {} } as const
    const found = servers[keyOf(server)]
    if (!found) return { state: "unknown" } as const
    return found.hash === hash ? ({ state: "allowed", tools: found.tools } as const) : ({ state: "changed" } as const)
  }

  async function change(edit: (servers: Entries) => Entries): Promise<void> {
    await withLock(`${path}.lock`, async () => {
      const servers = await read()
      if (servers === "unreadable") await rename(path, `${path}.unreadable`)
      const edited = edit(servers === "unreadable" ? {} : servers)
      await writeWhole(path, `${JSON.stringify({ version: 1, servers: edited }, undefined, 2)}\n`)
    })
  }

  return {
    state: async (server, hash) => (await find(server, hash)).state,
    tools: async (server, hash) => (await find(server, hash)).tools,
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
