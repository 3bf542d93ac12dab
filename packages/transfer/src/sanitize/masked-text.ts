import { type Count, maskedPatterns } from "@pawl/secrets"

export interface MaskOptions {
  /**
   * Additional home directories. Those with a usual form (`/home/x`, `/Users/x`, `C:\Users\x`, but not `/root`) are
   * always recognized. `keep` leaves paths unchanged.
   */
  readonly homes: readonly string[] | "keep"
  /** Masks secrets and counts them by kind. Default: masks what looks like a secret. */
  readonly mask?: ((text: string, count: Count) => string) | undefined
}

/** Replaces secrets by `[removed:<kind>]`, and the name of each home directory by `user`. */
export function maskedText(text: string, { homes, mask = maskedPatterns }: MaskOptions, count: Count): string {
  const masked = mask(text, count)
  return homes === "keep" ? masked : maskedHomes(masked, homes, count)
}

/** In JSON within a text, Windows separators are doubled. */
const HOME =
  /(?<root>(?<![\w.-])(?:\/home|\/Users|[A-Za-z]:[\\/]{1,2}Users)[\\/]{1,2})(?<name>[^\s\\/"'`:;,<>|?*()[\]{}]+)/g
const IMPERSONAL_NAMES = new Set(["user", "Shared", "Public"])

function maskedHomes(text: string, homes: readonly string[], count: Count): string {
  const known = homes.reduce((result, home) => {
    if (home.length < 2 || !result.includes(home)) return result
    // Matches whole components only.
    return result.replaceAll(new RegExp(`${escaped(home)}(?![\\w.-])`, "g"), () => {
      count("path.home")
      return "/home/user"
    })
  }, text)
  return known.replaceAll(HOME, (whole: string, root: string, name: string) => {
    if (IMPERSONAL_NAMES.has(name)) return whole
    count("path.home")
    return `${root}user`
  })
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
