import { isRecord } from "@pawl/trust/content-effects"
import { fetchText, type FetchOptions } from "./fetch-text.ts"

/** The command that prints a token, and the token's variable in the configuration. */
export interface TokenCommand {
  readonly command: readonly string[]
  readonly env: string
}

/** The published document of an organization. */
export interface WellKnown {
  /** URL of the document. */
  readonly address: string
  /** As fetched, not checked yet. */
  readonly config: unknown
  /** Absent if no token is needed. */
  readonly auth?: TokenCommand
}

/** The first existing document is used. */
const PATHS = ["/.well-known/pawl", "/.well-known/opencode"] as const

/** Fetches the document of an organization. Rejects with a sentence that names the address. */
export async function fetchWellKnown(organization: string, options: FetchOptions): Promise<WellKnown> {
  const addresses = PATHS.map((path) => new URL(organization.replace(/\/$/, "") + path))
  let refusal: Error | undefined
  for (const address of addresses) {
    const { status, text } = await fetchText(address, options).catch((error: unknown) => {
      options.signal?.throwIfAborted()
      throw new Error(`${address.href} ${(error as Error).message}.`, { cause: error })
    })
    if (status === 404) continue
    try {
      if (status !== 200) throw new Error(`${address.href} answers with status ${status}.`)
      return { address: address.href, ...parseWellKnown(text, address.href) }
    } catch (error) {
      // Some servers answer like this for every missing page.
      refusal ??= error as Error
    }
  }
  if (refusal) throw refusal
  throw new Error(`${organization} offers no configuration: there is nothing at ${PATHS.join(" and ")}.`)
}

/** Ignores the content type, which many servers set wrongly. */
function parseWellKnown(text: string, address: string): Omit<WellKnown, "address"> {
  const value = parsed(text.replace(/^\uFEFF/, ""))
  if (!isRecord(value)) throw new Error(`${address} sends no JSON object. It may be the page of a sign-in.`)
  const { config = {}, auth } = value
  if (auth === undefined || auth === null) return { config }
  if (!isTokenWay(auth)) {
    throw new Error(`${address}: "auth" must hold a "command", a list of words, and "env", the name of a variable.`)
  }
  return { config, auth: { command: auth.command, env: auth.env } }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isTokenWay(auth: unknown): auth is TokenCommand {
  if (!isRecord(auth)) return false
  const { command, env } = auth
  const isCommand = Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === "string")
  return isCommand && typeof env === "string" && /^[A-Za-z_]\w*$/.test(env)
}
