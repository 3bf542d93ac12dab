import { readlinkSync } from "node:fs"
import { dirname, isAbsolute, join } from "node:path"

/** As many as systems follow themselves. */
const MAX_LINKS = 40

/**
 * Where the system would come to by an absolute path, links followed name by name: `..` behind a link leads out of where
 * that leads. What does not exist lies below its nearest existing parent. Where links go round it ends at one of them.
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
