import { realpathSync } from "node:fs"
import { isAbsolute, relative, win32 } from "node:path"
import { buildAgent } from "@pawl/core"
import { isNoWider } from "@pawl/core/permission"
import type { Continuation } from "@pawl/transfer"
import { UsageError } from "@pawl/config/usage-error"
import { allAgents, startAgent } from "../config/agents.ts"
import { type DefinedSettings, readDefinedSettings } from "../config/definitions.ts"
import { permissionScopes } from "../config/permission-scopes.ts"
import type { RuntimeHost } from "../host.ts"

/** Rules for continuing an imported session, with the directories of the document. */
export interface DocumentContinuation extends Continuation {
  /** Existing directories outside of the directory of the import. */
  readonly elsewhere: ReadonlySet<string>
}

/**
 * Keeps an agent of a document if it has no more permissions than the agent of a new session. Keeps a directory unless it
 * contains the home directory: all files of the user would then be inside the project.
 */
export async function documentContinuation(host: RuntimeHost): Promise<DocumentContinuation> {
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

/** Returns the agent of a new session. If every agent is disabled, no session can be continued, so any name will do. */
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
