type Token = { readonly type: "star" } | { readonly type: "one"; readonly fits: (character: string) => boolean }

/**
 * Returns a matcher for a pattern without slashes, as bash reads it. If the result depends on the locale, more names
 * match.
 */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const tokens = tokensOf(pattern)
  const isHidden = pattern.startsWith(".") || pattern.startsWith("\\.")
  return (name) => (isHidden || !name.startsWith(".")) && fits(Array.from(name), tokens)
}

/** Backtracks only to the last star, so every pattern is fast. */
function fits(name: readonly string[], tokens: readonly Token[]): boolean {
  let [at, next] = [0, 0]
  let [starAt, starNext] = [0, -1]
  while (at < name.length) {
    const token = tokens[next]
    if (token?.type === "star") {
      starAt = at
      starNext = ++next
    } else if (token?.fits(name[at] ?? "") === true) {
      at++
      next++
    } else if (starNext >= 0) {
      at = ++starAt
      next = starNext
    } else return false
  }
  return tokens.slice(next).every(({ type }) => type === "star")
}

const BRACKET = /\[[!^]?\]?(?:\[:[a-z]+:\]|\[\..*?\.\]|\[=.*?=\]|\\.|[^\]\\])*\]/sy

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < pattern.length;) {
    BRACKET.lastIndex = at
    const bracket = BRACKET.exec(pattern)?.[0]
    const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0)
    const escaped = character === "\\" ? Array.from(pattern.slice(at + 1, at + 3))[0] : undefined
    if (bracket !== undefined) tokens.push({ type: "one", fits: bracketed(bracket) })
    else if (character === "*") tokens.push({ type: "star" })
    else if (character === "?") tokens.push({ type: "one", fits: () => true })
    else tokens.push({ type: "one", fits: (other) => other === (escaped ?? character) })
    at += bracket?.length ?? character.length + (escaped?.length ?? 0)
  }
  return tokens
}

/** In some locales, ranges include both cases and classes any character. */
function bracketed(bracket: string): (character: string) => boolean {
  const [, not, content = ""] = /^\[([!^]?)(.*)\]$/s.exec(bracket) ?? []
  if (/\[[:.=]/.test(content)) return () => true
  if (not) return () => true
  try {
    const text = content.replaceAll(/\\(.)/gs, "$1").replaceAll(/[\\\]^[]/g, String.raw`\$&`)
    const set = new RegExp(`^[${text}]$`, "iu")
    return (character) => set.test(character)
  } catch {
    return () => true
  }
}
