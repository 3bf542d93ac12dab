import { realpathSync } from "node:fs"
import { isAbsolute, relative, win32 } from "node:path"
import { buildAgent, isNoWider } from "@pawl/core"
import type { Continuation } from "@pawl/transfer"
import { UsageError } from "../arguments/usage-error.ts"
import type { Host } from "../host.ts"
import { allAgents, startAgent } from "../settings/agents.ts"
import { type DefinedSettings, readDefinedSettings } from "../settings/definitions.ts"
import { permissionScopes } from "../settings/permission-scopes.ts"

/** How a session of a document is continued here, and the directories that the document has it work in. */
export interface DocumentContinuation extends Continuation {
  /** Those that exist and do not lie below the directory of the import. */
  readonly elsewhere: ReadonlySet<string>
}

/**
 * An agent of a document stays if it can do no more than the one that a new session would begin with. A directory stays
 * unless it holds the home directory: in such a project nothing of the user's would lie outside.
 */
export async function documentContinuation(host: Host): Promise<DocumentContinuation> {
  const settings = await readDefinedSettings(host, host.directory)
  const agents = allAgents(settings.config.agent)
  const permission = permissionScopes(settings.layers, settings.definitions.agents)
  const start = beginning(settings)
  const home = realPath(host.home ?? "/") ?? "/"
  const elsewhere = new Set<string>()
  return {
    elsewhere,
    agent: (name) => (isNoWider({ agents, permission }, name, start) ? name : start),
    directory(path) {
      const real = realPath(path)
      if (real === undefined) return isAbsolute(path) || win32.isAbsolute(path) ? path : host.directory
      if (!isAbsolute(path) || isWithin(real, home)) return host.directory
      if (!isWithin(host.directory, real)) elsewhere.add(path)
      return path
    },
  }
}

/** Where every agent is disabled nothing can be continued, by whatever name. */
function beginning(settings: DefinedSettings): string {
  try {
    return startAgent(settings)
  } catch (error) {
    if (error instanceof UsageError) return buildAgent.name
    throw error
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function isWithin(directory: string, path: string): boolean {
  const way = relative(directory, path)
  return way === "" || (!way.startsWith("..") && !isAbsolute(way))
}
