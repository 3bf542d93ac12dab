import { basename, dirname, join, resolve } from "node:path"
import { createShellReader } from "@pawl/shell"
import { isWithin, realTarget } from "../paths.ts"
import { createJudge, type PathContext, startOf } from "./path-needs.ts"

/** Maximum number of files that are named to undo before a command runs. */
const MAX_TARGETS = 500

/**
 * Returns the absolute paths of the files that a command certainly or probably writes, as far as its text tells: what
 * it redirects to, what `rm`, `mv`, `sed -i` and the like name, and files that other programs name and that exist. A
 * name that is a link is returned with its target. The directory in which the command runs is not returned.
 */
export async function commandTargets(command: string, context: PathContext): Promise<readonly string[]> {
  const reading = (await createShellReader()).read(command)
  const { expansion, once } = createJudge(context)
  const patterns = reading.patterns.filter(({ mode }) => mode === "write" || mode === "within")
  const names = [
    ...reading.redirects.filter(({ mode }) => mode === "write").map(({ path }) => path),
    ...patterns.flatMap(({ pattern }) => {
      const [start, way] = startOf(pattern, context)
      return (expansion.expand(start, way) ?? []).map(({ path }) => resolve(start, path))
    }),
    ...reading.named,
  ]
  const found = new Set<string>()
  for (const name of new Set(names)) {
    if (found.size >= MAX_TARGETS) break
    const [start, way] = startOf(name, context)
    const path = resolve(start, way)
    try {
      if (isWithin(path, context.cwd)) continue
      // The file itself, and what it leads to if it is a link.
      found.add(join(await realTarget(dirname(path), once), basename(path)))
      found.add(await realTarget(path, once))
    } catch {
      // The name does not resolve to a file.
    }
  }
  return [...found]
}
