import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { isRecord } from "@pawl/trust/content-effects"

/** The stored state of an organization that the user signed in to. */
export interface KeptOrganization {
  /** URL of its configuration. */
  readonly address: string
  /** Accepted configuration, as fetched. */
  readonly config: unknown
  /** Name of the variable with the token in the configuration. */
  readonly tokenName?: string
  /** When the configuration was last confirmed, in milliseconds since the epoch. */
  readonly checkedAt: number
  /** Set if it offers a new configuration that is not accepted yet. */
  readonly isOutdated?: boolean
}

export type KeptOrganizations = ReadonlyMap<string, KeptOrganization>

/** Returns the path of the file of organizations by address, readable only by its owner. */
export function organizationsFile(dataDirectory: string): string {
  return join(dataDirectory, "organizations.json")
}

/** Reads the organizations. Empty before the first sign-in, and for an unreadable file, which the next sign-in replaces. */
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
