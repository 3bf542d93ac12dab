import { readFile } from "node:fs/promises"
import { isAbsolute, resolve } from "node:path"
import type { Client, ConnectOptions } from "@pawl/client"
import { readDataLocations } from "@pawl/runtime/config/settings"
import { UsageError } from "../arguments/usage-error.ts"
import type { Host } from "../host.ts"

/** Environment variable with the token of the server. */
export const TOKEN_VARIABLE = "PAWL_SERVE_TOKEN"

export interface AttachOptions {
  /** Address or path of a unix socket. `true`: the server of this user that was started last. */
  readonly server: string | true
  readonly tokenFile?: string | undefined
}

/** Connects to a server. Its token is in the given file, in the environment, or in the file of the user's own server. */
export async function attach({ server, tokenFile }: AttachOptions, host: Host): Promise<Client> {
  const { connect } = await import("@pawl/client")
  const { dataDirectory } = await readDataLocations(host)
  const token = tokenFile === undefined ? host.environment[TOKEN_VARIABLE] : await tokenIn(tokenFile, host)
  if (token) host.secrets.add(token, "serve")
  const options: ConnectOptions = { dataDirectory, ...placeOf(server, host), ...(token ? { token } : {}) }
  try {
    return await connect(options)
  } catch (error) {
    if (error instanceof Error && error.name === "NoServerError") throw new UsageError(error.message)
    const isRefused = error instanceof Error && "status" in error && error.status === 401
    if (isRefused) throw new UsageError("The server refuses the token.", `Pass --token-file, or set ${TOKEN_VARIABLE}.`)
    throw error
  }
}

function placeOf(server: string | true, host: Host): Pick<ConnectOptions, "url" | "socket"> {
  if (server === true) return {}
  if (server.startsWith("http://") && URL.canParse(server)) return { url: server }
  if (isAbsolute(server) || server.startsWith(".")) return { socket: resolve(host.directory, server) }
  throw new UsageError(
    `invalid value "${server}" for --attach: expected an address such as http://127.0.0.1:4096, or the path of a socket`,
    "See: pawl run --help",
  )
}

async function tokenIn(path: string, host: Host): Promise<string> {
  try {
    return (await readFile(resolve(host.directory, path), "utf8")).trim()
  } catch (error) {
    throw new UsageError(`The token cannot be read from ${path}: ${error instanceof Error ? error.message : ""}`)
  }
}
