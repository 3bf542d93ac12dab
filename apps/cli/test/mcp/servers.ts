import { readdir, readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { inject } from "vitest"

const require = createRequire(import.meta.url)
const everything = require.resolve("@modelcontextprotocol/server-everything/dist/index.js")

/** The protocol's reference server, as a configuration names it. */
export const everythingServer = { type: "local", command: [process.execPath, everything] }

/** A small server that notes what happens to it. */
export interface Fixture {
  /** As pawl.jsonc names it. */
  readonly server: { readonly type: "local"; readonly command: string[]; readonly environment: Record<string, string> }
  /** As a .mcp.json names it. */
  readonly imported: { readonly command: string; readonly args: string[]; readonly env: Record<string, string> }
  /** A line each. */
  notes(): Promise<readonly string[]>
  /** The processes that were started, by id. */
  started(): Promise<readonly number[]>
  /** Those of it and of what it started that are there still; on Linux also what has left its group. */
  processes(): Promise<readonly number[]>
  /** What changes the description of its tool `echo` when it starts. */
  readonly rewording: string
}

export function fixtureServer(directory: string, environment: Readonly<Record<string, string>> = {}): Fixture {
  const log = join(directory, "notes.txt")
  const args = [inject("mcpServer")]
  const env = { FIXTURE_LOG: log, ...environment }
  const notes = async () => (await readFile(log, "utf8").catch(() => "")).split("\n").filter((line) => line !== "")
  async function started(): Promise<readonly number[]> {
    return (await notes()).flatMap((line) => (line.startsWith("start ") ? [Number(line.slice("start ".length))] : []))
  }
  return {
    server: { type: "local", command: [process.execPath, ...args], environment: env },
    imported: { command: process.execPath, args, env },
    ...{ notes, started },
    processes: async () => (process.platform === "linux" ? processesWith(log) : (await started()).filter(isAlive)),
    rewording: `${log}.description`,
  }
}

/** Those in whose environment the text stands. */
async function processesWith(text: string): Promise<readonly number[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    ids.map(async (id) => (await readFile(`/proc/${id}/environ`, "utf8").catch(() => "")).includes(text)),
  )
  return ids.filter((_, at) => found[at]).map(Number)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
