import { join } from "node:path"
import type { StoredAuth } from "@pawl/core/provider"
import type { Secrets } from "@pawl/secrets"

import { readEntries } from "./read-entries.ts"
import { secretsOf, storedAuth } from "./stored-auth.ts"

/** The saved credentials of providers, shared by all processes. */
export interface AuthFile {
  /** Absolute. */
  readonly path: string
  /** By provider, in the file's order. */
  all(): Promise<ReadonlyMap<string, StoredAuth>>
  get(providerID: string): Promise<StoredAuth | undefined>
  /** Replaces what is kept for the provider. */
  set(providerID: string, auth: StoredAuth): Promise<void>
  /** Removes the credentials of a provider. False if there were none. */
  remove(providerID: string): Promise<boolean>
}

/**
 * Opens `auth.json` of the data directory, in OpenCode's form, readable only by its owner. The file is replaced as a whole, by
 * one process at a time. Each secret is added to the registry. Rejects if the file is not valid JSON.
 */
export function openAuthFile(
  { dataDirectory }: { readonly dataDirectory: string },
  { secrets }: { readonly secrets: Pick<Secrets, "add"> },
): AuthFile {
  const path = join(dataDirectory, "auth.json")

  function remember(id: string, auth: StoredAuth): void {
    for (const [value, name] of secretsOf(id, auth)) secrets.add(value, name)
  }

  async function all(): Promise<ReadonlyMap<string, StoredAuth>> {
    const known = [...(await readEntries(path))].flatMap(([id, value]) => {
      const auth = storedAuth(value)
      return auth ? [[id, auth] as const] : []
    })
    for (const [id, auth] of known) remember(id, auth)
    return new Map(known)
  }

  return {
    path,
    all,
    get: async (providerID) => (await all()).get(providerID),
    async set(providerID, auth) {
      remember(providerID, auth)
      const { changeAuthFile } = await import("./change-auth-file.ts")
      await changeAuthFile(path, (entries) => new Map(entries).set(providerID, auth))
    },
    async remove(providerID) {
      // Nothing is made where nothing is to be removed.
      if (!(await readEntries(path)).has(providerID)) return false
      const { changeAuthFile } = await import("./change-auth-file.ts")
      let was = false
      await changeAuthFile(path, (entries) => {
        was = entries.has(providerID)
        return new Map([...entries].filter(([id]) => id !== providerID))
      })
      return was
    },
  }
}
