import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { bundleProgram } from "../../../bundle.base.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Paths of the programs that tests start, bundled. */
    readonly programs: {
      readonly fixture: string
      readonly hostile: string
      readonly engine: string
      readonly asking: string
    }
  }
}

/** Bundles the programs: their start is most of what a test of them costs. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-mcp-programs-"))
  const bundled = (path: string) => bundleProgram(join(import.meta.dirname, path), directory)
  const [fixture, hostile, engine, asking] = await Promise.all([
    bundled("servers/fixture.ts"),
    bundled("servers/hostile.ts"),
    bundled("engine.ts"),
    bundled("auth/asking-process.ts"),
  ])
  project.provide("programs", { fixture, hostile, engine, asking })
  return () => rm(directory, { recursive: true, force: true, maxRetries: 5 })
}
