import { type Count, maskedPatterns } from "@pawl/secrets"

export interface MaskOptions {
  /**
   * Home directories beyond those that are known by their shape (`/home/x`, `/Users/x`, `C:\Users\x`, `/root` is none).
   * `keep`: paths stay as they are.
   */
  readonly homes: readonly string[] | "keep"
  /** What takes secrets out, and counts them by kind; by default what looks like one. */
  readonly mask?: ((text: string, count: Count) => string) | undefined
}

/**
 * The text without secrets (`[removed:<kind>]` stands in their place) and with `user` for each name of a home
 * directory.
 */
export function maskedText(text: string, { homes, mask = maskedPatterns }: MaskOptions, count: Count): string {
  const masked = mask(text, count)
  return homes === "keep" ? masked : maskedHomes(masked, homes, count)
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
