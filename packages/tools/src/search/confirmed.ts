import { constants } from "node:fs/promises"
import { join } from "node:path"
import { inHeldParent } from "../file/held-parent.ts"
import { decodeText, encodingByMark } from "../file/text-file.ts"
import { type GrepMatch, MAX_SEARCHED_BYTES } from "./grep-match.ts"

// The search program opens files by path, and a directory may have been replaced by a link since. So each result is
// looked up again without following links.

/** Returns those paths below a real directory that exist. */
export async function confirmedPaths(directory: string, paths: readonly string[]): Promise<readonly string[]> {
  const isThere = await Promise.all(
    paths.map((path) => {
      return inHeldParent(join(directory, path), (held, name) => held.stat(name) !== undefined).catch(() => false)
    }),
  )
  return paths.filter((_, index) => isThere[index])
}

/** Returns those matches below a real directory whose line is still in the file. */
export async function confirmedMatches(
  directory: string,
  matches: readonly GrepMatch[],
): Promise<readonly GrepMatch[]> {
  const confirmed: GrepMatch[] = []
  for (const [path, found] of Map.groupBy(matches, (match) => match.path)) {
    const lines = await linesOf(join(directory, path)).catch(() => [])
    confirmed.push(...found.filter(({ line, text }) => lines[line - 1]?.startsWith(text)))
  }
  return confirmed
}

async function linesOf(path: string): Promise<readonly string[]> {
  return inHeldParent(path, async (held, name) => {
    const handle = await held.open(name, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const found = await handle.stat()
      return found.isFile() && found.size <= MAX_SEARCHED_BYTES ? textOf(await handle.readFile()).split("\n") : []
    } finally {
      await handle.close()
    }
  })
}

/** Decodes like the search program: bytes that are not text become U+FFFD. */
function textOf(bytes: Buffer): string {
  return encodingByMark(bytes) ? decodeText(bytes).text : bytes.toString("utf8")
}
