import { sep } from "node:path"
import { globPattern } from "./glob-pattern.ts"

/**
 * Returns a matcher for paths relative to `root`. A pattern without `/` is compared with the name alone. An absolute
 * pattern must lie below `root`. A leading `!` negates. Throws with a text for the model if the pattern is invalid.
 *
 * Not left to ripgrep, because its `--glob` overrides ignore files.
 */
export function pathMatcher(pattern: string, root: string): (path: string) => boolean {
  const isNegated = pattern.startsWith("!") && !pattern.startsWith("!(")
  const wanted = isNegated ? pattern.slice(1) : pattern
  const local = relativePattern(wanted.normalize("NFC"), root.normalize("NFC"))
  const fits = globPattern(local)
  const isName = !local.includes("/")
  // File systems differ in composed and decomposed accents.
  return (path) => {
    const whole = path.normalize("NFC").replaceAll(sep, "/")
    return fits(isName ? whole.slice(whole.lastIndexOf("/") + 1) : whole) !== isNegated
  }
}

function relativePattern(pattern: string, root: string): string {
  const prefix = root.endsWith("/") ? root : `${root}/`
  if (pattern.startsWith(prefix)) return pattern.slice(prefix.length)
  return pattern.startsWith("./") ? pattern.slice(2) : pattern
}
