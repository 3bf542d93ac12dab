import type { Engine, EngineOptions } from "@pawl/core"

/** Makes an engine. What it is made of is loaded now: most commands need none. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { createEngine: create, createWorkspace } = await import("./whole-engine.ts")
  return create({ workspace: createWorkspace(), ...options })
}
