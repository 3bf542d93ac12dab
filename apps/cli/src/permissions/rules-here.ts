import type { Agent, Session } from "@pawl/core"
import { permissionRules, type PermissionRules, type PermissionScope } from "@pawl/core/permission"
import { readAncestors } from "@pawl/core/record"
import type { Storage } from "@pawl/core/storage"
import type { Tool, ToolPlace } from "@pawl/core/tool"
import { findWorktree } from "@pawl/workspace"
import { suggestion } from "@pawl/config/suggestion"
import { UsageError } from "../arguments/usage-error.ts"
import type { Host } from "../host.ts"
import { inspect } from "@pawl/runtime/plugins/inspect"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { findSession } from "@pawl/runtime/session/find-session"
import { allAgents, startAgent } from "@pawl/runtime/config/agents"
import { type DefinedSettings, readDefinedSettings } from "@pawl/runtime/config/definitions"
import { engineOptions } from "@pawl/runtime/config/engine-options"
import { openStorage } from "@pawl/runtime/storage/open-storage"
import { withStorage } from "@pawl/runtime/storage/with-storage"

export interface RulesRequest {
  readonly dir?: string | undefined
  readonly agent?: string | undefined
  /** The id of a session, or its beginning. */
  readonly session?: string | undefined
  readonly storage?: string | undefined
}

/** The permission rules of an agent in a directory, and its tools. */
export interface RulesHere {
  readonly agent: Agent
  readonly rules: PermissionRules
  /** Scopes of the configuration, as written. */
  readonly scopes: readonly PermissionScope[]
  readonly tools: readonly Tool[]
  readonly place: ToolPlace
  readonly session: Session | undefined
  /** Permanent approvals of the session, its parents and its child sessions. */
  readonly approvals: NonNullable<Session["approvals"]>
  /** Notices about skipped items. */
  readonly notices: readonly string[]
}

/**
 * The rules that a call here, or in a session, would be judged by, with what plugins make of them, which are started for
 * that. No tool is run and nothing stored.
 */
export async function rulesHere(request: RulesRequest, host: Host): Promise<RulesHere> {
  const { session: id, storage: url } = request
  if (id !== undefined) {
    return withStorage(host, { url }, async (storage) => {
      const session = await findSession(storage, { type: "id", id }, host.directory)
      const above = await readAncestors(storage, session)
      return read(request, host, storage, { session, above })
    })
  }
  // Tools need a storage to read; an empty one is enough.
  const storage = await openStorage({ url: "memory:", source: "pawl", packageDirectories: [] })
  try {
    return await read(request, host, storage, { session: undefined, above: [] })
  } finally {
    await storage.close()
  }
}

interface Tree {
  readonly session: Session | undefined
  /** The nearest first. */
  readonly above: readonly Session[]
}

async function read(request: RulesRequest, host: Host, storage: Storage, { session, above }: Tree): Promise<RulesHere> {
  const directory = session ? session.directory : await workDirectory(host, request.dir)
  const written = await readDefinedSettings(host, directory)
  return await inspect(written, host, async ({ settings, notices: told }) => {
    const { options, notices } = await engineOptions(settings, host, storage)
    const agents = allAgents(settings.config.agent)
    const agent = agentOf(request.agent ?? session?.agent, agents, settings)
    const scopes = options.permission ?? []
    return {
      ...{ agent, scopes, session, notices: [...settings.trust.notices, ...told, ...notices] },
      rules: permissionRules({ agents, permission: scopes }, agent, session ?? {}, above),
      tools: options.tools ?? [],
      place: { directory, worktree: (await findWorktree(directory)) ?? directory },
      approvals: (above.at(-1) ?? session)?.approvals ?? [],
    }
  })
}

function agentOf(name: string | undefined, agents: ReadonlyMap<string, Agent>, settings: DefinedSettings): Agent {
  const wanted = name ?? startAgent(settings)
  const agent = agents.get(wanted)
  if (agent) return agent
  const meant = suggestion(wanted, [...agents.keys()])
  const hint = meant === undefined ? "See: pawl agent list" : `Did you mean "${meant}"?`
  throw new UsageError(`There is no agent "${wanted}".`, hint)
}
