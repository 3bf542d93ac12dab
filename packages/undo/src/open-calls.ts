import { createHash } from "node:crypto"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { FileChange } from "@pawl/core/host"
import type { Listing } from "./listing.ts"
import { deadSpools, type Spool } from "./spool.ts"

/** A call that a dead process was watching. */
export interface OpenCall {
  readonly start: number
  /** Missing if the files of its worktree are not listed. */
  readonly listing?: Listing | undefined
  /** Contents of the call's targets before it ran. */
  readonly targets: readonly FileChange[]
  /** Reads the copies of that process. */
  readonly spool: Pick<Spool, "read">
}

/** Keeps the facts that finding the changes of a call needs after its process has died. */
export interface OpenCalls {
  /** Keeps a call. Returns the function that removes it. */
  keep(key: string, call: Omit<OpenCall, "spool">): Promise<() => Promise<void>>
  /** Returns the call that a dead process left, and removes it. */
  take(key: string): Promise<OpenCall | undefined>
}

export function createOpenCalls(spools: string, spool: Spool): OpenCalls {
  const listings = new WeakMap<Listing, Promise<string>>()
  let directory: Promise<string> | undefined

  /** Several calls may have the same listing. */
  function stored(listing: Listing): Promise<string> {
    const path = listings.get(listing) ?? write()
    listings.set(listing, path)
    return path
    async function write() {
      const file = await spool.newPath("listing")
      await writeFile(
        file,
        JSON.stringify(listing, (_, value: unknown) => (value instanceof Map ? { map: [...value] } : value)),
        { mode: 0o600 },
      )
      return file
    }
  }

  async function openDirectory(): Promise<string> {
    const path = await spool.newPath("x").then((each) => join(each, "..", "open"))
    await mkdir(path, { recursive: true, mode: 0o700 })
    return path
  }

  return {
    async keep(key, { start, listing, targets }) {
      directory ??= openDirectory()
      const file = join(await directory, nameOf(key))
      await writeFile(file, JSON.stringify({ start, targets, listing: listing && (await stored(listing)) }), {
        mode: 0o600,
      })
      return () => rm(file, { force: true }).catch(() => undefined)
    },
    async take(key) {
      for (const dead of await deadSpools(spools)) {
        const file = join(dead, "open", nameOf(key))
        const text = await readFile(file, "utf8").catch(() => undefined)
        if (text === undefined) continue
        try {
          const { listing, ...call } = JSON.parse(text) as Omit<OpenCall, "listing"> & { readonly listing?: string }
          const revived = listing && (JSON.parse(await readFile(listing, "utf8"), revive) as Listing)
          const read = (hash: string) =>
            readFile(join(dead, "contents", hash.replace("sha256:", ""))).catch(() => undefined)
          return { ...call, ...(revived ? { listing: revived } : {}), spool: { read } }
        } catch {
          // A file that is not complete was written when the process died: the call had not begun.
        } finally {
          await rm(file, { force: true })
        }
      }
      return undefined
    },
  }
}

function revive(_: string, value: unknown): unknown {
  const isMap = typeof value === "object" && value !== null && "map" in value && Array.isArray(value.map)
  return isMap ? new Map(value.map as [unknown, unknown][]) : value
}

function nameOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32)
}
