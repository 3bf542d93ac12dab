import { type Instruction, messageOf } from "@pawl/core/host"
import { instructionText, MAX_INSTRUCTION_BYTES } from "./instruction-text.ts"

export type RemoteInstruction =
  | { readonly type: "read"; readonly instruction: Instruction }
  /** `notice`: a text for the user with the address and the next step. */
  | { readonly type: "failed"; readonly notice: string }

/** Reads an address. Never rejects. */
export type ReadRemote = (address: string) => Promise<RemoteInstruction>

export function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source)
}

export interface RemoteOptions {
  /** Milliseconds for one fetch from its start to its last byte. Default: 5000 */
  readonly timeoutMs?: number
  /** Default: the global `fetch` at the time of the call. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/**
 * Fetches each address once and keeps its text, so that later requests begin with the same bytes. Retries a failed
 * address at its next use.
 */
export function createRemoteReader(options: RemoteOptions = {}): ReadRemote {
  const how: FetchOptions = {
    timeoutMs: options.timeoutMs ?? 5_000,
    fetch: options.fetch ?? ((...input) => fetch(...input)),
  }
  const known = new Map<string, Promise<RemoteInstruction>>()
  return (address) => {
    const reading = known.get(address) ?? readRemote(address, how)
    known.set(address, reading)
    return reading.then((remote) => {
      if (remote.type === "failed" && known.get(address) === reading) known.delete(address)
      return remote
    })
  }
}

interface FetchOptions {
  readonly timeoutMs: number
  readonly fetch: typeof globalThis.fetch
}

async function readRemote(address: string, how: FetchOptions): Promise<RemoteInstruction> {
  const path = shown(address)
  try {
    const text = await fetchText(address, how)
    return { type: "read", instruction: { path, text } }
  } catch (error) {
    const next = "The session goes on without it; correct the address in your configuration, or remove it."
    return {
      type: "failed",
      notice: `Instructions from ${path} were not read: ${reason(error, how.timeoutMs)}. ${next}`,
    }
  }
}

/** Maximum number of followed redirects. */
const MAX_REDIRECTS = 5

async function fetchText(address: string, { timeoutMs, fetch }: FetchOptions): Promise<string> {
  const { username, password } = new URL(address)
  if (username || password) throw new Error("an address with a name or a password is not supported")
  const response = await fetched(address, AbortSignal.timeout(timeoutMs), fetch)
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`the server answered ${response.status}`)
  }
  const bytes = await readAtMost(response, MAX_INSTRUCTION_BYTES + 1)
  if (bytes.includes(0)) throw new Error("it is not text")
  const text = decode(bytes)
  if (text === "") throw new Error("it is empty")
  return text
}

/** Follows redirects on the same host only, so that no other server chooses addresses within this network. */
async function fetched(address: string, signal: AbortSignal, fetch: typeof globalThis.fetch): Promise<Response> {
  let url = new URL(address)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const headers = { accept: "text/markdown, text/plain, text/*;q=0.9" }
    const response = await fetch(url, { signal, headers, redirect: "manual" })
    const location = response.headers.get("location")
    if (response.status < 300 || response.status > 399 || location === null) return response
    await response.body?.cancel()
    const next = new URL(location, url)
    const isSame = next.hostname === url.hostname && (next.port === url.port || next.protocol === "https:")
    if (!isSame) throw new Error(`the server sends on to ${next.origin}: name that address itself`)
    url = next
  }
  throw new Error(`the server sends on more than ${MAX_REDIRECTS} times`)
}

async function readAtMost({ body }: Response, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    // Leaving the loop closes the connection.
    if (length >= limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit)
}

function decode(bytes: Uint8Array): string {
  try {
    return instructionText(bytes, { fatal: true })
  } catch (cause) {
    throw new Error("it is not text in UTF-8", { cause })
  }
}

function reason(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === "TimeoutError") return `it took longer than ${timeoutMs / 1000} s`
  // The message of `fetch` is always "fetch failed"; the cause has the reason.
  const cause = error instanceof TypeError && error.cause !== undefined ? error.cause : error
  return messageOf(cause).replace(/\.$/, "")
}

/** Returns the address without its user, password and query, which may be secret. */
function shown(address: string): string {
  const url = URL.parse(address)
  return url ? `${url.origin}${url.pathname}` : address.replace(/[?#].*$/s, "").replace(/\/\/[^/]*@/, "//")
}
