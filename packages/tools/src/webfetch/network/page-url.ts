import { blockedPorts } from "./blocked-ports.ts"

export type PageURL =
  | { readonly type: "page"; readonly url: URL }
  /** `reason` completes "the address …". */
  | { readonly type: "refused"; readonly reason: string }

/**
 * Normalizes an address for permission checks: no fragment, default port or trailing dot of the host. `base` resolves
 * relative addresses.
 */
export function pageURL(text: string, base?: URL): PageURL {
  const url = URL.parse(text, base?.href)
  if (!url) return refused("is not a valid URL")
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return refused(`begins with ${url.protocol} and only http: and https: are fetched`)
  }
  if (url.username !== "" || url.password !== "") return refused("holds a user name or a password")
  if (blockedPorts.has(url.port)) return refused(`names port ${url.port}, which belongs to another protocol`)
  url.hash = ""
  url.hostname = url.hostname.replace(/\.$/, "")
  return { type: "page", url }
}

/**
 * Returns true if a redirect needs no new permission: same host and port, or from http to https on the default ports.
 */
export function isSameOrigin(from: URL, to: URL): boolean {
  if (from.hostname !== to.hostname) return false
  if (from.protocol === to.protocol) return from.port === to.port
  return to.protocol === "https:" && from.port === "" && to.port === ""
}

function refused(reason: string): PageURL {
  return { type: "refused", reason }
}
