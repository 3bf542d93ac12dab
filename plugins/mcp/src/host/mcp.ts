import { join } from "node:path"
import { definePlugin, type Plugin } from "@pawl/core/plugin"
import { childEnvironment } from "@pawl/core/tool"
import { createGuardian } from "@pawl/process-guard"
import { createFileApprovals } from "../approval/file-approvals.ts"
import { mcpInstructions } from "../instructions.ts"
import { createListingCache } from "../listing/listing-cache.ts"
import { pluginCommands } from "../prompts/plugin-commands.ts"
import { createRoots } from "../requests/roots.ts"
import { pluginResources } from "../resources/plugin-resources.ts"
import type { McpControl } from "./control.ts"
import { createControl, readReport } from "./create-control.ts"
import { createNotices } from "./notices.ts"
import { readOffer } from "./offer.ts"
import type { McpOptions } from "./options.ts"
import { createServerSet } from "./server-set.ts"
import { createSessionTexts } from "./session-texts.ts"

/** MCP servers as a plugin of one engine, and their operations for a command line. */
export interface Mcp {
  readonly plugin: Plugin
  readonly control: McpControl
}

const STARTUP_TIMEOUT_MS = 5000

/** Starts a server only when it is needed. */
export function createMcp(options: McpOptions): Mcp {
  const { directory, worktree = directory, dataDirectory, reserved = [], waitMs = STARTUP_TIMEOUT_MS } = options
  const guardian = options.guardian ?? createGuardian({ name: "pawl-mcp-guardian" })
  const roots = createRoots()
  roots.add(directory, worktree)
  const listeners = new Set<() => void>()
  const onChanged = () => {
    for (const listener of listeners) listener()
  }
  const servers = createServerSet({
    ...{ options, guardian, roots, onChanged },
    environment: options.environment ?? childEnvironment(process.env),
    approvals: options.approvals ?? createFileApprovals(join(dataDirectory, "mcp", "approvals.json")),
    cache: createListingCache(join(dataDirectory, "mcp", "listings")),
  })
  servers.configure(options.servers)
  const notices = createNotices()
  const instructions = createSessionTexts(async () => {
    const said = servers.all().map(async (server) => [server.name, (await server.listing())?.instructions] as const)
    return mcpInstructions(Object.fromEntries(await Promise.all(said))) ?? ""
  })

  async function close(): Promise<void> {
    await servers.close()
    if (!options.guardian) await guardian.close()
  }

  const plugin = definePlugin((input) => {
    const changed = () => input.changed()
    listeners.add(changed)
    servers.open()
    for (const problem of servers.problems()) input.notice(problem)
    return {
      async tool(scope) {
        roots.add(scope.directory, scope.worktree)
        await servers.settle(waitMs, scope.signal)
        const { tools } = await readOffer(servers.all(), reserved)
        const reports = await Promise.all(servers.all().map(readReport))
        for (const text of notices.fresh(reports)) input.notice(text, scope.sessionID)
        return tools
      },
      command: () => pluginCommands(servers.all()),
      resource: pluginResources(() => servers.all()),
      async "chat.system.transform"({ sessionID }, output) {
        const text = await instructions.of(sessionID)
        if (text !== "") output.system.push(text)
      },
      async dispose() {
        listeners.delete(changed)
        if (listeners.size === 0) await close()
      },
    }
  })

  return { plugin, control: createControl({ servers, reserved, onChanged, close }) }
}
