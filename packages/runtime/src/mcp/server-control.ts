import { type Engine, NotFoundError } from "@pawl/core"
import type { ServerControl, ServerSignIn } from "@pawl/server"
import type { AuthorizableServer } from "@pawl/plugin-mcp"
import type { ConfiguredServer } from "./configured-servers.ts"
import type { ServerReport } from "./mcp-servers.ts"
import type { OpenedMcp } from "./open-mcp.ts"

/** The host of MCP servers, as far as clients reach it. */
interface ServedPlugins {
  readonly servers: OpenedMcp | undefined
  serverReports(): Promise<readonly ServerReport[]>
  remoteServer(name: string): Promise<AuthorizableServer | undefined>
  addServer(engine: Engine, server: ConfiguredServer): Promise<readonly string[]>
}

export interface ServerControlDeps {
  readonly plugins: ServedPlugins
  readonly engine: Engine
  /** Ends sign-ins that wait for their user. */
  readonly signal: AbortSignal
}

/** Returns the operations on MCP servers that clients of `pawl serve` may request. */
export function createServerControl({ plugins, engine, signal: closing }: ServerControlDeps): ServerControl {
  const waiting = new Map<string, Promise<ServerSignIn>>()

  async function find(name: string): Promise<{ readonly opened: OpenedMcp; readonly report: ServerReport }> {
    const reports = await plugins.serverReports()
    const report = reports.find((each) => each.name === name)
    const known = reports.map((each) => each.name).join(", ") || "none"
    if (!report || !plugins.servers) throw new NotFoundError(`There is no MCP server "${name}". Known: ${known}.`)
    return { opened: plugins.servers, report }
  }

  async function begin(name: string): Promise<ServerSignIn> {
    const { opened, report } = await find(name)
    const server = await plugins.remoteServer(name)
    if (!server) throw new TypeError(`The MCP server "${name}" is a local program and needs no sign-in.`)
    // Its sign-in page could be anything.
    if (report.status === "awaiting_approval") {
      throw new TypeError(`"${name}" comes with this project and is not allowed. First: pawl mcp allow ${name}`)
    }
    const { promise: shown, resolve, reject } = Promise.withResolvers<string>()
    const authorized = opened.authorizer.authorize(server, { show: resolve, signal: closing }).then(async () => {
      await opened.control.disconnect(name)
      await opened.control.connect(name, closing)
    })
    const done = clear(authorized)
    done.catch(reject).finally(() => waiting.delete(name))
    const address = await shown
    const { searchParams } = new URL(address)
    return {
      address,
      state: searchParams.get("state") ?? "",
      done,
      async enter(code) {
        const redirect = new URL(searchParams.get("redirect_uri") ?? "")
        redirect.search = new URLSearchParams({ code, state: searchParams.get("state") ?? "" }).toString()
        // The sign-in waits for a browser there.
        await (await fetch(redirect, { redirect: "manual", signal: closing })).arrayBuffer()
        await done
      },
    }
  }

  return {
    async add(name, config) {
      const [problem] = await plugins.addServer(engine, {
        name,
        source: "a client of the server",
        entry: { config, scope: "user" },
      })
      if (problem !== undefined && !(await plugins.serverReports()).some((each) => each.name === name)) {
        throw new TypeError(problem)
      }
    },
    async connect(name, signal) {
      const { opened } = await find(name)
      await clear(opened.control.connect(name, signal))
    },
    async disconnect(name) {
      await (await find(name)).opened.control.disconnect(name)
    },
    beginAuth(name) {
      const known = waiting.get(name)
      if (known) return known
      const signIn = begin(name)
      waiting.set(name, signIn)
      signIn.catch(() => waiting.delete(name))
      return signIn
    },
    async removeAuth(name) {
      const { opened } = await find(name)
      const server = await plugins.remoteServer(name)
      if (server) await opened.authorizer.logout(server)
    },
  }
}

/** Reports an unreachable or refusing server as a bad request, whose message says what to do, and not as a failure. */
async function clear<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const isKnown = error instanceof Error && ["McpServerError", "AuthError"].includes(error.name)
    throw isKnown ? new TypeError(error.message, { cause: error }) : error
  }
}
