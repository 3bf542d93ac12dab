import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, writeFile } from "node:fs/promises"
import { lstatSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"

/** Creates a directory with these files, which is removed after the test. */
export async function testDirectory(files: Readonly<Record<string, string | Buffer>> = {}): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "pawl-undo-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await writeFiles(directory, files)
  return directory
}

export async function writeFiles(directory: string, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true })
    await writeFile(join(directory, name), content)
  }
}

/** Environment of git in tests: no configuration of the machine. */
export const environment = {
  ...{ PATH: process.env["PATH"] ?? "", HOME: tmpdir(), GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  ...{ GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.org" },
  ...{ GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.org" },
}

export function runShell(directory: string, command: string): string {
  return execFileSync("bash", ["-c", command], { cwd: directory, env: environment, encoding: "utf8" })
}

/** Makes the directory a repository with everything committed. */
export function commitAll(directory: string): void {
  runShell(directory, "git init -q -b main --template= . && git add -A && git commit -q -m start --allow-empty")
}

/** Returns every file below a directory with its kind, mode and content in hex; without `.git`. */
export async function treeOf(directory: string, { withGit = false } = {}): Promise<ReadonlyMap<string, string>> {
  const tree = new Map<string, string>()
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(directory.length + 1)
    if (!withGit && /(?:^|\/)\.git(?:\/|$)/.test(name)) continue
    const mode = (lstatSync(path).mode & 0o7777).toString(8)
    if (entry.isSymbolicLink()) tree.set(name, `link ${await readlink(path)}`)
    else if (entry.isFile()) tree.set(name, `${mode} ${(await readFile(path)).toString("latin1")}`)
  }
  return new Map([...tree].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
