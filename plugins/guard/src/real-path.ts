import { readlinkSync } from "node:fs"
import { dirname, isAbsolute, join } from "node:path"

/** Same limit as Linux. */
const MAX_LINKS = 40

/**
 * Resolves an absolute path like the system: name by name, so `..` behind a link leaves the link's target. Missing
 * names are resolved below their nearest existing parent. Stops at a link of a cycle.
 */
export function realPath(path: string): string {
  const left = path.split("/")
  let at = "/"
  let links = 0
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    if (name === "" || name === ".") continue
    if (name === "..") {
      at = dirname(at)
      continue
    }
    const next = join(at, name)
    const target = links < MAX_LINKS ? linkAt(next) : undefined
    if (target === undefined) at = next
    else {
      links++
      if (isAbsolute(target)) at = "/"
      left.unshift(...target.split("/"))
    }
  }
  return at
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
