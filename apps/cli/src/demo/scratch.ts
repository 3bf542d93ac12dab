import { execFile } from "node:child_process"
import { cp, mkdtemp, realpath, rm } from "node:fs/promises"
import { devNull, tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { childEnvironment } from "@pawl/core/tool"

/** Places of the demo's own, all below one new temporary directory. Absolute. */
export interface Scratch {
  readonly project: string
  readonly data: string
  readonly configuration: string
  /** Copies the project there, as a git repository with one commit. Rejects with what to do when git is missing. */
  fill(): Promise<void>
  remove(): Promise<void>
}

export async function createScratch(demoDirectory: string): Promise<Scratch> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "pawl-demo-")))
  const project = join(root, "menu-card")
  return {
    project,
    data: join(root, "data"),
    configuration: join(root, "configuration"),
    async fill() {
      await cp(join(demoDirectory, "project"), project, { recursive: true })
      await git(project, "init", "--quiet", "--template=")
      await git(project, "add", "--all")
      await git(project, "commit", "--quiet", "--message", "A menu card")
    },
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}

const COMMITTER = ["-c", "user.name=pawl demo", "-c", "user.email=demo@example.invalid"]

/** Neither a repository that the environment names nor the user's name, hooks and signing keys take part. */
async function git(directory: string, ...args: string[]): Promise<void> {
  const env = { ...childEnvironment(process.env), GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: "1" }
  try {
    await promisify(execFile)("git", [...COMMITTER, ...args], { cwd: directory, env })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") {
      throw new Error("The demo needs git, and it is not installed. Install it and run pawl demo again.", { cause })
    }
    throw new Error(`git ${args[0]} failed in ${directory}: ${String(cause)}`, { cause })
  }
}
