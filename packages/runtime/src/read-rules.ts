import { suggestion } from "@pawl/config/suggestion"
import { UsageError } from "@pawl/config/usage-error"
import type { Agent, Session } from "@pawl/core"
import { permissionRules, type PermissionRules, type PermissionScope } from "@pawl/core/permission"
import { readAncestors } from "@pawl/core/record"
import type { Tool, ToolLocation } from "@pawl/core/tool"
import { allAgents, startAgent } from "./config/agents.ts"
import type { DefinedSettings } from "./config/definitions.ts"
import { engineOptions } from "./config/engine-options.ts"
import type { RuntimeOptions } from "./runtime-options.ts"
import { openSessions } from "./steps/open-sessions.ts"
import { readConfiguration, readDefinitionsFor } from "./steps/read-configuration.ts"
import { startPlugins } from "./steps/start-plugins.ts"
import { createStepContext } from "./steps/step-context.ts"

/** Default of `agent`: the agent of the session, or of a new one. */
export type RulesOptions = Pick<RuntimeOptions, "directory" | "host" | "session" | "storage" | "agent">

/** The permission rules of an agent in a directory, and its tools. */
export interface ReadRules {
  readonly agent: Agent
  readonly rules: PermissionRules
  readonly tools: readonly Tool[]
  readonly location: ToolLocation
  /** Permanent approvals of the session, its parents and its child sessions. Empty without a session. */
  readonly approvals: NonNullable<Session["approvals"]>
  /** Notices about skipped items. */
  readonly notices: readonly string[]
}

/**
 * Reads the rules that decide about a tool call in a directory, or in a session, including those of plugins. Starts the plugins,
 * but runs no tool, selects no model and stores nothing.
 */
export async function readRules({ agent: name, ...options }: RulesOptions): Promise<ReadRules> {
  // Without a session, an empty storage is enough for the tools.
  const storageURL = options.session ? options.storage : "memory:"
  await using context = createStepContext({ ...options, storage: storageURL, isReport: true })
  const here = await readConfiguration(context)
  const { storage, session } = await openSessions(here, context)
  const read = await readDefinitionsFor(session, here, context)
  const plugins = await startPlugins({ settings: read, storage: () => storage, needsPlugins: true }, context)
  const settings = plugins?.started.settings ?? read
  const { options: configured, notices } = await engineOptions(settings, context.host, storage)
  const agents = allAgents(settings.config.agent)
  const agent = agentOf(name ?? session?.agent, agents, settings)
  const scopes: readonly PermissionScope[] = configured.permission ?? []
  const above = session ? await readAncestors(await storage, session) : []
  const { directory, worktree } = settings
  return {
    agent,
    rules: permissionRules({ agents, permission: scopes }, agent, session ?? {}, above),
    tools: configured.tools ?? [],
    location: { directory, worktree },
    approvals: (above.at(-1) ?? session)?.approvals ?? [],
    notices: [...settings.trust.notices, ...(plugins?.started.notices ?? []), ...notices],
  }
}

function agentOf(name: string | undefined, agents: ReadonlyMap<string, Agent>, settings: DefinedSettings): Agent {
  const wanted = name ?? startAgent(settings)
  const agent = agents.get(wanted)
  if (agent) return agent
  const meant = suggestion(wanted, [...agents.keys()])
  const hint = meant === undefined ? "See: pawl agent list" : `Did you mean "${meant}"?`
  throw new UsageError(`There is no agent "${wanted}".`, hint)
}
