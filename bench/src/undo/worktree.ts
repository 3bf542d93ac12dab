import { execFileSync } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"

const FILES_PER_DIRECTORY = 100

/** Creates a git repository with that many committed files of 1 KB. */
export async function createWorktree(root: string, files: number): Promise<void> {
  for (let index = 0; index < files; index++) {
    const directory = join(root, "src", String(Math.floor(index / FILES_PER_DIRECTORY)))
    if (index % FILES_PER_DIRECTORY === 0) await mkdir(directory, { recursive: true })
    await writeFile(join(directory, `${index}.ts`), `export const value${index} = ${index}\n`.repeat(32))
  }
  await writeFile(join(root, ".gitignore"), "cache/\n")
  git(root, ["init", "--quiet"])
  git(root, ["add", "--all"])
  git(root, ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "--message=all"])
}

/** Adds a directory that git ignores, with that many files and one of 10 GB, which uses no disk space. */
export async function addIgnored(root: string, files: number): Promise<void> {
  for (let index = 0; index < files; index++) {
    const directory = join(root, "cache", String(Math.floor(index / FILES_PER_DIRECTORY)))
    if (index % FILES_PER_DIRECTORY === 0) await mkdir(directory, { recursive: true })
    await writeFile(join(directory, `${index}.bin`), "x")
  }
  execFileSync("truncate", ["--size=10G", join(root, "cache", "huge.bin")])
}

/** Returns the files that a measured command changes: one in each directory. */
export function filesToChange(root: string, directories: number): string[] {
  return Array.from({ length: directories }, (_, index) =>
    join(root, "src", String(index), `${index * FILES_PER_DIRECTORY}.ts`),
  )
}

/** Runs git without settings of the user. */
export function git(root: string, args: readonly string[], repository?: string): void {
  execFileSync("git", args, {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...{ PATH: process.env["PATH"], HOME: root, GIT_CONFIG_NOSYSTEM: "1" },
      ...(repository === undefined ? {} : { GIT_DIR: repository, GIT_WORK_TREE: root }),
    },
  })
}
