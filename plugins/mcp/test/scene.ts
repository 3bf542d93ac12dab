import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { inject } from "vitest"
import { createMcp, type Mcp, type McpOptions, type ServerEntry } from "../src/index.ts"

/** Runs the server for tests. */
export const runFixture = [process.execPath, inject("programs").fixture]

/** A place for one test, and MCP servers in it; everything is gone at its end. */
export interface Scene extends Mcp, AsyncDisposable {
  readonly directory: string
  readonly servers: McpOptions["servers"]
  /** Another one in the same place, as a process of its own would be. */
  again(options?: Partial<McpOptions>): Mcp
  /** What the fixture noted, a line each. */
  notes(): Promise<readonly string[]>
}

export interface SceneOptions extends Partial<Omit<McpOptions, "servers">> {
  /** Of the servers that are made by `local`. */
  readonly env?: Readonly<Record<string, string>>
  readonly servers?: (place: Place) => McpOptions["servers"]
}

interface Place {
  readonly directory: string
  readonly local: (extra?: object, scope?: ServerEntry["scope"]) => ServerEntry
}

export async function createScene({ env = {}, servers, ...options }: SceneOptions = {}): Promise<Scene> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-mcp-"))
  const notes = join(directory, "notes.txt")
  const place: Place = {
    directory,
    local: (extra = {}, scope = "user") => ({
      config: {
        type: "local",
        command: runFixture,
        environment: { FIXTURE_LOG: notes, ...env },
        ...extra,
      },
      scope,
    }),
  }
  const own: McpOptions = {
    servers: servers?.(place) ?? { fix: place.local() },
    directory,
    dataDirectory: join(directory, "data"),
    random: () => 0,
    // A loaded machine is slow to start a process; what is late is a matter of its own test.
    waitMs: 100_000,
    ...options,
  }
  const made: Mcp[] = []
  const again = (more: Partial<McpOptions> = {}) => {
    const mcp = createMcp({ ...own, ...more })
    made.push(mcp)
    return mcp
  }
  return {
    ...again(),
    directory,
    servers: own.servers,
    again,
    notes: async () => (await readFile(notes, "utf8").catch(() => "")).split("\n").filter((line) => line !== ""),
    async [Symbol.asyncDispose]() {
      await Promise.all(made.map(({ control }) => control.close()))
      // A server's last words may still be on their way to its log.
      await rm(directory, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Resolves once it holds. Rejects after 100 s, to say what did not happen. */
export async function until(holds: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const end = performance.now() + 100_000
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`Not within 100 s: ${what}`)
    await delay(20)
  }
}
