import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type CommandResult, runNode } from "./command.ts"
import type { Scratch } from "./scratch.ts"

export const cli = fileURLToPath(import.meta.resolve("pawl/dist/main.js"))

/** The built CLI with its own home, data directory and project. */
export interface Pawl {
  /** Contains the caches. */
  readonly home: string
  readonly project: string
  /** Contains the sessions. */
  readonly data: string
  readonly environment: NodeJS.ProcessEnv
  /** Runs `pawl` with `args`, and node with `options`. */
  call(args: readonly string[], options?: readonly string[], more?: NodeJS.ProcessEnv): CommandResult
  /** Runs `pawl run` with the model at this URL. */
  run(url: string, args: readonly string[], options?: readonly string[], more?: NodeJS.ProcessEnv): CommandResult
}

/** `user` is an installation whose home is shared. Default: a new home. */
export async function installPawl(scratch: Scratch, user?: Pick<Pawl, "home">): Promise<Pawl> {
  const own = await scratch.folder()
  const home = user?.home ?? own
  const [project, data] = [join(own, "project"), join(own, "data")]
  await mkdir(project)
  const { PATH } = process.env
  // The compile cache is below TMPDIR.
  const environment = { PATH, HOME: home, TMPDIR: home, PAWL_DATA_DIR: data, PAWL_API_KEY: "none" }
  const pawl: Pawl = {
    home,
    project,
    data,
    environment,
    call: (args, options = [], more = {}) => runNode([...options, cli, ...args], { ...environment, ...more }, project),
    run(url, args, options, more) {
      return pawl.call(["run", "--model", "local/scripted", "--base-url", url, ...args], options, more)
    },
  }
  return pawl
}
