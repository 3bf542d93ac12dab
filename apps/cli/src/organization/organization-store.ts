import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { isRecord } from "../trust/content-effects.ts"

/** What is kept of an organization that somebody signed in to. */
export interface KeptOrganization {
  /** Where its configuration was found. */
  readonly address: string
  /** What was accepted, as it was fetched. */
  readonly config: unknown
  /** The variable that the configuration calls the token by. */
  readonly tokenName?: string
  /** When it was last found to be so, in milliseconds since 1970. */
  readonly checkedAt: number
  /** It offers something else by now, which nobody has accepted yet. */
  readonly isOutdated?: boolean
}

export type KeptOrganizations = ReadonlyMap<string, KeptOrganization>

/** Where organizations are kept by their addresses, for their owner alone to read. */
export function organizationsFile(dataDirectory: string): string {
  return join(dataDirectory, "organizations.json")
}

/** None where nobody signed in. What cannot be read counts as nothing: signing in writes it anew. */
export async function readOrganizations(dataDirectory: string): Promise<KeptOrganizations> {
  const path = organizationsFile(dataDirectory)
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined
    throw error
  })
  if (text === undefined) return new Map()
  const value = parsed(text)
  return new Map(Object.entries(value).flatMap(([name, kept]) => (isKept(kept) ? [[name, kept] as const] : [])))
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function isKept(value: unknown): value is KeptOrganization {
  return isRecord(value) && typeof value["address"] === "string" && typeof value["checkedAt"] === "number"
}
