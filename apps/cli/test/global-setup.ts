import { spawnSync } from "node:child_process"
import { mkdtemp, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { bundleProgram } from "../../../bundle.base.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** A directory like that of the installed package, with the bundle in `dist`. */
    readonly built: string
    /** The program of an MCP server for tests. */
    readonly mcpServer: string
  }
}

const PACKAGE = join(import.meta.dirname, "..")
const MCP_SERVER = join(PACKAGE, "../../plugins/mcp/test/servers/fixture.ts")
const TSUP = join(PACKAGE, "../../node_modules/.bin/tsup")

/**
 * Children of tests run the bundle: they start three times as fast as from sources. It is built for each run of the tests,
 * and outside of the package, so that it is never older than the sources and nobody else builds it anew meanwhile.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "pawl-built-"))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    for (const name of ["package.json", "demo", "node_modules"])
      await symlink(join(PACKAGE, name), join(directory, name))
    bundle(join(directory, "dist"))
    project.provide("mcpServer", await bundleProgram(MCP_SERVER, join(directory, "mcp-server")))
  } catch (error) {
    await remove()
    throw error
  }
  project.onTestsRerun(() => bundle(join(directory, "dist")))
  project.provide("built", directory)
  return remove
}

function bundle(to: string): void {
  const { status, stdout, stderr, error } = spawnSync(TSUP, {
    cwd: PACKAGE,
    env: { ...process.env, PAWL_DIST: to },
    encoding: "utf8",
  })
  if (status !== 0) throw new Error(`The CLI could not be built for its tests:\n${stdout}${stderr}`, { cause: error })
}
