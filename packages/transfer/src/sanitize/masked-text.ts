import { secretPatterns } from "./secret-patterns.ts"

export interface MaskOptions {
  /**
   * Home directories beyond those that are known by their shape (`/home/x`, `/Users/x`, `C:\Users\x`, `/root` is none).
   */
  readonly homes: readonly string[]
}

type Count = (kind: string, times?: number) => void

/**
 * The text without secrets (`[removed:<kind>]` stands in their place) and with `user` for each name of a home
 * directory.
 */
export function maskedText(text: string, { homes }: MaskOptions, count: Count): string {
  return maskedHomes(maskedSecrets(text, count), homes, count)
}

export function removed(kind: string): string {
  return `[removed:${kind}]`
}

function maskedSecrets(text: string, count: Count): string {
  let result = text
  for (const { kind, pattern, unless } of secretPatterns) {
    result = result.replaceAll(pattern, (...match: unknown[]) => {
      const whole = String(match[0])
      const groups = match.at(-1) as { secret?: string; quoted?: string; single?: string } | undefined
      const secret =
        (typeof groups === "object" ? (groups.secret ?? groups.quoted ?? groups.single) : undefined) ?? whole
      if (secret.startsWith("[removed:") || unless?.(secret)) return whole
      count(kind)
      const at = whole.lastIndexOf(secret)
      return whole.slice(0, at) + removed(kind) + whole.slice(at + secret.length)
    })
  }
  return result
}

/** In JSON within a text the separators of Windows stand twice. */
const HOME =
  /(?<root>(?<![\w.-])(?:\/home|\/Users|[A-Za-z]:[\\/]{1,2}Users)[\\/]{1,2})(?<name>[^\s\\/"'`:;,<>|?*()[\]{}]+)/g
const NOBODY = new Set(["user", "Shared", "Public"])

function maskedHomes(text: string, homes: readonly string[], count: Count): string {
  const known = homes.reduce((result, home) => {
    if (home.length < 2 || !result.includes(home)) return result
    // A whole component: not the beginning of a longer name.
    return result.replaceAll(new RegExp(`${escaped(home)}(?![\\w.-])`, "g"), () => {
      count("path.home")
      return "/home/user"
    })
  }, text)
  return known.replaceAll(HOME, (whole: string, root: string, name: string) => {
    if (NOBODY.has(name)) return whole
    count("path.home")
    return `${root}user`
  })
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
