import { execFile } from "node:child_process"
import { fuzzyFilter } from "../terminal/fuzzy.ts"

/** How long a list of files is used, in milliseconds: as long as someone types a name. */
const LIST_MS = 5000
const MAX_LIST_BYTES = 64 * 1024 ** 2

/** Creates a search over the files of a directory that git does not ignore, best matches first. */
export function createFileFinder(directory: string, now: () => number = Date.now) {
  let listed: { readonly files: Promise<readonly string[]>; readonly at: number } | undefined

  function files(): Promise<readonly string[]> {
    if (!listed || now() - listed.at > LIST_MS) listed = { files: listFiles(directory), at: now() }
    return listed.files
  }

  return async (query: string, limit: number): Promise<readonly string[]> => {
    const found = await files()
    return (query === "" ? found : fuzzyFilter(found, query, (path) => path)).slice(0, limit)
  }
}

async function listFiles(directory: string): Promise<string[]> {
  const { bundledRipgrep } = await import("@pawl/tools")
  const program = await bundledRipgrep()
  const options = { cwd: directory, maxBuffer: MAX_LIST_BYTES }
  const output = await new Promise<string>((resolve) => {
    // Without files the program fails, and unreadable directories are left out.
    execFile(program, ["--files", "--hidden", "--glob", "!.git"], options, (_error, stdout) => resolve(stdout))
  })
  return output
    .split("\n")
    .filter((path) => path !== "")
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
}
