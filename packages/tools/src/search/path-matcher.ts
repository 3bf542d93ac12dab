import { sep } from "node:path"
import { globPattern } from "./glob-pattern.ts"

/**
 * Does a path relative to `root` fit a glob pattern? A pattern without `/` is compared with the name alone; an absolute
 * one must lie below `root` to fit anything; one that begins with `!` takes what the rest of it does not fit. Throws
 * with a text for the model where the pattern is none.
 *
 * Matched here because ripgrep lets its own `--glob` win over ignore files.
 */
export function pathMatcher(pattern: string, root: string): (path: string) => boolean {
  const isNegated = pattern.startsWith("!") && !pattern.startsWith("!(")
  const wanted = isNegated ? pattern.slice(1) : pattern
  const local = relativePattern(wanted.normalize("NFC"), root.normalize("NFC"))
  const fits = globPattern(local)
  const isName = !local.includes("/")
  // The same name may be written with composed or decomposed accents.
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
