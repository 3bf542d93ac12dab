import { findBinaries, startTestServer, type TestServer } from "@pawl/postgres-test-server"
import { file } from "./file.ts"
import { postgres } from "./postgres.ts"
import { sqlite } from "./sqlite.ts"
import type { Subject } from "./subject.ts"

export interface Subjects {
  readonly subjects: readonly Subject[]
  /** The server of the subject `postgres`. */
  readonly server: TestServer | undefined
  /** Reasons for missing subjects. */
  readonly missing: readonly string[]
  close(): Promise<void>
}

const KNOWN = ["file", "sqlite", "postgres"]

/** Returns the storages that can be tested here, or the named ones of them. Rejects if a name is unknown. */
export async function findSubjects(names: readonly string[] = KNOWN): Promise<Subjects> {
  const unknown = names.filter((name) => !KNOWN.includes(name))
  if (unknown.length > 0) throw new Error(`No storage is called ${unknown.join(", ")}. Known: ${KNOWN.join(", ")}.`)
  const subjects: Subject[] = [file, sqlite].filter(({ name }) => names.includes(name))
  const nothing = { subjects, server: undefined, missing: [], close: () => Promise.resolve() }
  if (!names.includes("postgres")) return nothing
  if (!findBinaries()) return { ...nothing, missing: ["postgres: skipped, PostgreSQL is not installed."] }
  // Durable commits, because the sweeps stop the server like a crash.
  const server = await startTestServer({ durable: true })
  return {
    subjects: [...subjects, postgres(server)],
    server,
    missing: [],
    async close() {
      await server[Symbol.asyncDispose]()
    },
  }
}
