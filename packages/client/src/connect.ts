import { readFile } from "node:fs/promises"
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import { type Client, createClient } from "./client.ts"
import type { ServerAddress } from "./transport.ts"

export interface ConnectOptions {
  /** Address of the server. Default: the server that this user started last */
  readonly url?: string
  /** Absolute path of the server's unix socket. */
  readonly socket?: string
  /** Default: the content of the token file */
  readonly token?: string
  /** Default: the file of the running server, else `serve-token` in the data directory */
  readonly tokenPath?: string
  /** Absolute path of the directory that requests are for. Default: that of the server */
  readonly directory?: string
  /** Absolute path of pawl's data directory, if the configuration names another one. */
  readonly dataDirectory?: string
  /** Default: `process.env` */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** The server that was started last, as it describes itself. */
export interface AnnouncedServer {
  /** An address such as `http://127.0.0.1:4096`, or the path of a unix socket. */
  readonly address: string
  readonly pid: number
  readonly directory: string
  readonly tokenPath: string
}

/**
 * Finds the server and its token, and checks that it answers. Rejects with NoServerError if no server runs, and with
 * ServerError if it refuses the token.
 */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  const data = options.dataDirectory ?? dataDirectory(options.environment ?? process.env)
  const announced = await readAnnounced(data)
  const place = placeOf(options, announced)
  const tokenPath = options.tokenPath ?? announced?.tokenPath ?? join(data, "serve-token")
  const token = options.token ?? ("socket" in place ? undefined : await readToken(tokenPath))
  const client = createClient({ ...place, token, directory: options.directory })
  try {
    await client.call("global.health", {})
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== "ECONNREFUSED" && code !== "ENOENT") throw error
    const where = "socket" in place ? place.socket : place.url
    throw new NoServerError(`No server answers at ${where}. Start one with: pawl serve`, { cause: error })
  }
  return client
}

/** No server runs, or none answers. */
export class NoServerError extends Error {
  override readonly name = "NoServerError"
}

/** Returns the server that was started last with this data directory. Undefined if none runs. */
export async function readAnnounced(data: string): Promise<AnnouncedServer | undefined> {
  try {
    const { address, pid, directory, tokenPath } = JSON.parse(
      await readFile(join(data, "serve.json"), "utf8"),
    ) as Record<string, unknown>
    const isComplete = [address, directory, tokenPath].every((each) => typeof each === "string")
    // A killed server leaves its file behind, and another user's program may have its port by now.
    if (!isComplete || !isRunning(pid)) return undefined
    return { address, pid, directory, tokenPath } as AnnouncedServer
  } catch {
    return undefined
  }
}

function isRunning(pid: unknown): boolean {
  if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid < 1) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // It has ended, or its number belongs to another user now.
    return false
  }
}

function placeOf({ url, socket }: ConnectOptions, announced: AnnouncedServer | undefined): ServerAddress {
  if (socket !== undefined) return { socket }
  const address = url ?? announced?.address
  if (address === undefined) throw new NoServerError("No server of this user is running. Start one with: pawl serve")
  return isAbsolute(address) ? { socket: address } : { url: address }
}

async function readToken(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim()
  } catch (error) {
    throw new NoServerError(`The server's token cannot be read from ${path}.`, { cause: error })
  }
}

/** The same place as in pawl, unless its configuration names another one. */
function dataDirectory(environment: Readonly<Record<string, string | undefined>>): string {
  const { PAWL_DATA_DIR: own, XDG_DATA_HOME: base, HOME: home } = environment
  if (own && isAbsolute(own)) return own
  if (base && isAbsolute(base)) return join(base, "pawl")
  return join(home || homedir(), ".local", "share", "pawl")
}
