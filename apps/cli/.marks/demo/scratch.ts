import { execFile } from "node:child_process"
import { cp, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

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
      // Neither the user's name nor their hooks and signing keys take part.
      await git(project, "init", "--quiet", "--template=")
      await git(project, "add", "--all")
      await git(project, ...COMMITTER, "commit", "--quiet", "--message", "A menu card")
    },
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}

const COMMITTER = ["-c", "user.name=pawl demo", "-c", "user.email=demo@example.invalid", "-c", "commit.gpgsign=false"]

async function git(directory: string, ...args: string[]): Promise<void> {
  try {
    await promisify(execFile)("git", args, { cwd: directory })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") {
      throw new Error("The demo needs git, and it is not installed. Install it and run pawl demo again.", { cause })
    }
    throw new Error(`git ${args[0]} failed in ${directory}: ${String(cause)}`, { cause })
  }
}
