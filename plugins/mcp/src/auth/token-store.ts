import { createHash } from "node:crypto"
import { chmod, readFile, rename, stat } from "node:fs/promises"
import { z } from "zod"
import { type LockOptions, withLock } from "@pawl/process-lock"
import { writeWhole } from "@pawl/files/durable-file"
import { AuthError } from "./auth-error.ts"
import { canonicalURL, readAuthorization, type StoredAuthorization } from "./stored-authorization.ts"

/** Identifies an authorization by address and client. */
export interface AuthorizationKey {
  readonly url: string
  /** The configured client; missing if the client was registered. */
  readonly clientID?: string | undefined
}

/** Stores tokens and client registrations. All processes share them. */
export interface TokenStore {
  read(key: AuthorizationKey): Promise<StoredAuthorization | undefined>
  /** Replaces the stored value by the result of `edit`, under a lock. Undefined removes it. */
  change(
    key: AuthorizationKey,
    edit: (stored: StoredAuthorization | undefined) => StoredAuthorization | undefined,
  ): Promise<void>
  /** Runs work, such as a renewal, once at a time per key across all processes. `purpose` is a single word. */
  alone<T>(
    key: AuthorizationKey,
    purpose: string,
    work: () => Promise<T>,
    options?: LockOptions,
  ): Promise<T | undefined>
}

const VERSION = 1
const file = z.looseObject({ version: z.number(), authorizations: z.record(z.string(), z.unknown()) })
type Entries = Readonly<Record<string, unknown>>

/**
 * Uses a JSON file that only its owner can read. The file is replaced as a whole. `remember` is called with each
 * secret.
 */
export function createFileTokenStore(path: string, remember: (secret: string, name: string) => void): TokenStore {
  async function read(): Promise<Entries | "unreadable"> {
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined
      throw error
    })
    if (text === undefined) return {}
    await closeToOthers(path)
    const content = file.safeParse(parsed(text)).data
    if (!content) return "unreadable"
    if (content.version > VERSION) {
      throw new AuthError(
        "file",
        "",
        `${path} was written by a later version of pawl. Update pawl, or remove the file.`,
      )
    }
    return content.authorizations
  }

  function rememberAll({ tokens, client }: StoredAuthorization): void {
    if (tokens) remember(tokens.access, "mcp.token")
    if (tokens?.refresh !== undefined) remember(tokens.refresh, "mcp.token")
    if (client.client_secret !== undefined) remember(client.client_secret, "mcp.client")
  }

  return {
    async read(key) {
      const entries = await read()
      if (entries === "unreadable") return undefined
      const stored = readAuthorization(entries[nameOf(key)])
      if (stored?.url !== canonicalURL(key.url)) return undefined
      rememberAll(stored)
      return stored
    },
    async change(key, edit) {
      await withLock(`${path}.lock`, async () => {
        const entries = await read()
        // Keep the unreadable file.
        if (entries === "unreadable") await rename(path, `${path}.unreadable`)
        const before = entries === "unreadable" ? {} : entries
        const { [nameOf(key)]: stored, ...others } = before
        const edited = edit(readAuthorization(stored))
        if (edited) rememberAll(edited)
        const authorizations = edited ? { ...others, [nameOf(key)]: edited } : others
        await writeWhole(path, `${JSON.stringify({ version: VERSION, authorizations }, undefined, 2)}\n`)
      })
    },
    alone(key, purpose, work, options) {
      const hash = createHash("sha256").update(nameOf(key)).digest("hex").slice(0, 16)
      return withLock(`${path}.${purpose}-${hash}.lock`, work, options)
    },
  }
}

function nameOf({ url, clientID }: AuthorizationKey): string {
  return clientID === undefined ? canonicalURL(url) : `${canonicalURL(url)} ${clientID}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function closeToOthers(path: string): Promise<void> {
  if (process.platform === "win32") return
  const { mode } = await stat(path)
  if ((mode & 0o077) !== 0) await chmod(path, 0o600)
}
