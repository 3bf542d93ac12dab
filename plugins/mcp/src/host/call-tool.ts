import type { JudgedTools } from "../approval/judge-tools.ts"
import { McpServerError } from "../errors.ts"
import type { ListedTool } from "../listing/listing.ts"
import type { ActiveCalls, CallContext } from "../requests/call-context.ts"
import type { Progress } from "../requests/caller.ts"
import type { Connection } from "../server/connection.ts"
import type { Server } from "../server/server.ts"
import { isUntaken } from "./untaken.ts"

export interface CallDeps {
  readonly name: string
  readonly server: Server
  readonly calls: ActiveCalls
  readonly tools: () => Promise<JudgedTools>
}

interface Ready {
  readonly connection: Connection
  readonly listed: ListedTool
}

/** Calls an allowed tool. Repeats the call once, only if the server did not accept the request. */
export async function callTool(
  deps: CallDeps,
  tool: string,
  args: object,
  context: CallContext,
): Promise<Readonly<Record<string, unknown>>> {
  const { server } = deps
  const ready = await becomeReady(deps, tool, context.signal)
  try {
    return await request(deps, ready, args, context)
  } catch (error) {
    // A new session or a new token may help.
    if (!isUntaken(error)) throw error
    if (server.opened?.connection === ready.connection) await server.disconnect()
    return request(deps, await becomeReady(deps, tool, context.signal), args, context)
  }
}

/** Returns a connection and the tool's current definition, which may differ from the one that was offered. */
async function becomeReady({ name, server, tools }: CallDeps, tool: string, signal: AbortSignal): Promise<Ready> {
  for (;;) {
    const connection = await server.connect(signal)
    const listed = (await tools()).allowed.find((offered) => offered.name === tool)
    if (!listed) {
      const text = `The tool ${tool} of the MCP server "${name}" is not there, or has changed since it was allowed. Run: pawl mcp allow ${name}`
      throw new McpServerError("not-allowed", name, text)
    }
    // The connection may have been lost while the tools were listed.
    if (server.opened?.connection === connection) return { connection, listed }
  }
}

async function request(
  { calls }: CallDeps,
  { connection, listed }: Ready,
  args: object,
  context: CallContext,
): Promise<Readonly<Record<string, unknown>>> {
  let end = () => {}
  try {
    return await connection.callTool(listed.name, args, {
      signal: context.signal,
      asTask: listed.execution?.taskSupport === "required",
      onProgress: (progress) => context.progress?.(shownProgress(progress)),
      onHold(hold) {
        end = calls.begin({ context, hold })
      },
    })
  } finally {
    end()
  }
}

function shownProgress({ progress, total, message }: Progress) {
  const counted = { progress, ...(total === undefined ? {} : { total }), ...(message ? { message } : {}) }
  return { ...(message ? { title: message } : {}), metadata: counted }
}
