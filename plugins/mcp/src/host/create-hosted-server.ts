import { join } from "node:path"
import type { Approvals } from "../approval/approvals.ts"
import type { JudgedTools } from "../approval/judge-tools.ts"
import { createServerApproval } from "../approval/server-approval.ts"
import { connectionHash, contentHash, startHash } from "../config/content-hash.ts"
import type { ServerConfig } from "../config/server-config.ts"
import { McpServerError } from "../errors.ts"
import type { ListedResource, ListedTemplate, Listing } from "../listing/listing.ts"
import type { ListingCache } from "../listing/listing-cache.ts"
import { createErrorLog } from "../process/error-log.ts"
import { createActiveCalls } from "../requests/call-context.ts"
import type { HostedServer } from "../server/hosted-server.ts"
import { createServer, type Server } from "../server/server.ts"
import type { ServerStatus } from "../server/status.ts"
import { callTool } from "./call-tool.ts"
import { openServer, type OpenServerDeps } from "./open-server.ts"
import type { ServerEntry } from "./options.ts"

export interface HostedServerDeps extends OpenServerDeps {
  readonly approvals: Approvals
  readonly cache: ListingCache
  /** Called when the server's tools, prompts or resources have changed. */
  onChanged(): void
}

export function createHostedServer(
  deps: HostedServerDeps,
  name: string,
  entry: ServerEntry,
  config: ServerConfig,
): HostedServer {
  const { options, approvals, cache, roots } = deps
  const { directory, approvalDirectory = directory } = options
  const written = entry.written ?? (entry.config as object)
  const approvalHash = startHash(written)
  const hash = connectionHash(config, directory)
  const standing = createServerApproval(
    approvals,
    { name, scope: entry.scope, directory: approvalDirectory },
    approvalHash,
  )
  const calls = createActiveCalls()
  const log = createErrorLog(logPath(options.dataDirectory, name), options.mask ?? ((text) => text))
  let writing: Promise<void> | undefined
  let resources: readonly ListedResource[] | undefined
  let templates: readonly ListedTemplate[] | undefined
  let isClosed = false

  const server = createServer({
    name,
    random: options.random ?? Math.random,
    open: async (events, signal) => {
      await assertUsable()
      return openServer(deps, { name, config, calls, log }, events, signal)
    },
    onListing(listing) {
      forgetResources()
      writing = cache.write(hash, listing)
      deps.onChanged()
    },
    onResources() {
      forgetResources()
      deps.onChanged()
    },
    onNote: (text) => log.write(`[${text}]\n`),
  })
  const stopRoots = roots.onChange(() => server.opened?.connection.tellRootsChanged())

  function forgetResources(): void {
    resources = undefined
    templates = undefined
  }

  async function assertUsable(): Promise<void> {
    if (!config.enabled) {
      throw new McpServerError("disabled", name, `The MCP server "${name}" is switched off: mcp.${name}.enabled.`)
    }
    await standing.assertAllowed()
    if (isClosed) {
      const text = `The MCP server "${name}" is not configured any more, or no longer as it was. Begin again.`
      throw new McpServerError("unknown-server", name, text)
    }
  }

  async function listing(): Promise<Listing | undefined> {
    if (!config.enabled || (await standing.state()) !== "allowed") return undefined
    if (!server.listing) {
      const known = await cache.read(hash)
      if (known) server.remember(known)
    }
    return server.listing
  }

  async function tools(): Promise<JudgedTools> {
    const known = await listing()
    return known ? standing.judge(known.tools) : { allowed: [], waiting: [] }
  }

  return {
    ...{ name, config, log, server, listing, tools },
    identity: contentHash([hash, approvalHash, entry.scope, config.enabled]),
    async status() {
      if (!config.enabled) return { status: "disabled" }
      const state = await standing.state()
      if (state !== "allowed") return { status: "awaiting_approval", reason: state }
      return statusOf(server)
    },
    async connect(signal) {
      await assertUsable()
      return server.connect(signal)
    },
    async callTool(tool, args, context) {
      await assertUsable()
      return callTool({ name, server, calls, tools }, tool, args, context)
    },
    async resources(signal) {
      await assertUsable()
      return (resources ??= await (await server.connect(signal)).listResources(signal))
    },
    async templates(signal) {
      await assertUsable()
      return (templates ??= await (await server.connect(signal)).listTemplates(signal))
    },
    async allow(signal) {
      if ((await standing.state()) !== "allowed") await standing.allow()
      const connection = await server.connect(signal)
      const found = server.listing?.tools ?? (await connection.listTools(signal))
      await standing.allow(found)
      deps.onChanged()
      return found.map((tool) => tool.name)
    },
    async close() {
      isClosed = true
      stopRoots()
      await server.disconnect()
      await writing
    },
  }
}

function statusOf({ phase, failure }: Server): ServerStatus {
  if (phase !== "idle") return { status: phase }
  if (!failure) return { status: "not_started" }
  if (failure.kind === "needs-auth") return { status: "needs_auth" }
  const status = failure.kind === "needs-client-registration" ? "needs_client_registration" : "failed"
  return { status, error: failure.message }
}

function logPath(dataDirectory: string, name: string): string {
  // Two names may look the same after this replacement, so the path contains a hash.
  const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 40)
  return join(dataDirectory, "mcp", "log", `${plain}-${contentHash(name).slice(0, 8)}.log`)
}
