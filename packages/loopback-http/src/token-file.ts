import { randomBytes } from "node:crypto"
import { readFile, stat } from "node:fs/promises"
import { writeWhole } from "@pawl/files/durable-file"
import { withLock } from "@pawl/process-lock"

export interface Token {
  readonly token: string
  /** Set if the token was created just now, so that the user must be told. */
  readonly isNew: boolean
}

const BYTES = 32
const FORM = /^[\w-]{43}$/

/**
 * Returns the token in this file, which only its owner can read. The token stays the same, so that clients stay
 * configured. Creates a new one if it is missing, incomplete, or was readable by others.
 */
export async function readToken(path: string): Promise<Token> {
  return withLock(`${path}.lock`, async () => {
    const kept = await keptToken(path)
    if (kept !== undefined) return { token: kept, isNew: false }
    const token = createToken(() => randomBytes(BYTES))
    await writeWhole(path, `${token}\n`)
    return { token, isNew: true }
  })
}

/** Creates a token that a command line does not take for an option, as in `opencode attach -p <token>`. */
export function createToken(random: () => Buffer): string {
  for (;;) {
    const token = random().toString("base64url")
    if (!token.startsWith("-")) return token
  }
}

async function keptToken(path: string): Promise<string | undefined> {
  try {
    const [text, { mode }] = await Promise.all([readFile(path, "utf8"), stat(path)])
    const isOpen = process.platform !== "win32" && (mode & 0o077) !== 0
    return isOpen || !FORM.test(text.trim()) ? undefined : text.trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}
