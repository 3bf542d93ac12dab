import { constants } from "node:fs/promises"
import { join } from "node:path"
import { inHeldParent } from "../file/held-parent.ts"
import { decodeText, encodingByMark } from "../file/text-file.ts"
import { type GrepMatch, MAX_SEARCHED_BYTES } from "./grep-match.ts"

// The search program opens what it finds by path, and a link may have taken a directory's place by then. So what it found is
// looked up again, without following a link.

/** Of paths below a real directory those that are there. */
export async function confirmedPaths(directory: string, paths: readonly string[]): Promise<readonly string[]> {
  const isThere = await Promise.all(
    paths.map((path) => {
      return inHeldParent(join(directory, path), (held, name) => held.stat(name) !== undefined).catch(() => false)
    }),
  )
  return paths.filter((_, index) => isThere[index])
}

/** Of matches in files below a real directory those whose line is in the file that is there. */
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

/** As the search program reads it: what is no text in any encoding becomes U+FFFD. */
function textOf(bytes: Buffer): string {
  return encodingByMark(bytes) ? decodeText(bytes).text : bytes.toString("utf8")
}
