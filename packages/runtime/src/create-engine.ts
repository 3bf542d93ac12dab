import { createEngine as createCoreEngine, type Engine, type EngineOptions } from "@pawl/core"
import { createWorkspace } from "@pawl/workspace"

/** Creates an engine that reads the git repositories and instruction files around its sessions. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  return createCoreEngine({ workspace: createWorkspace(), ...options })
}
