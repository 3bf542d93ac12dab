/** Paths that begin with all components of `from` begin with `to` instead. */
export interface PathMapping {
  readonly from: string
  readonly to: string
}

/** The path under the mapping with the longest matching `from`; a path that none matches comes back as it is. */
export function mappedPath(path: string, mappings: readonly PathMapping[]): string {
  const [best] = mappings
    .map(({ from, to }) => ({ from: withoutEnd(from), to: withoutEnd(to) }))
    .filter(({ from }) => path === from || isBelow(path, from) || (from === "" && /^[\\/]/.test(path)))
    .toSorted((a, b) => b.from.length - a.from.length)
  if (!best) return path
  const moved = best.to + withSeparatorsOf(best.to, path.slice(best.from.length))
  return moved === "" ? "/" : moved
}

/** The same for a `file:` URL; every other URL stays. */
export function mappedURL(url: string, mappings: readonly PathMapping[]): string {
  if (!url.startsWith("file://")) return url
  const [, path = "", rest = ""] = /^file:\/\/([^?#]*)(.*)$/s.exec(url) ?? []
  const decoded = decodedPath(path)
  if (decoded === undefined) return url
  // The path of a Windows drive stands behind a slash: file:///C:/Users
  const drive = /^\/[A-Za-z]:/.test(decoded)
  const plain = drive ? decoded.slice(1) : decoded
  const moved = mappedPath(plain, drive ? mappings.map(withSlashes) : mappings)
  if (moved === plain) return url
  const slashed = moved.replaceAll("\\", "/")
  const encoded = slashed
    .split("/")
    .map(encodeURIComponent)
    .join("/")
    .replace(/^([A-Za-z])%3A/, "/$1:")
  return `file://${encoded}${rest}`
}

function withSlashes({ from, to }: PathMapping): PathMapping {
  return { from: from.replaceAll("\\", "/"), to }
}

function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

function isBelow(path: string, from: string): boolean {
  return from !== "" && path.startsWith(from) && /^[\\/]/.test(path.slice(from.length))
}

function withoutEnd(path: string): string {
  return path.replace(/[\\/]+$/, "")
}

/** A path that moves from one system to the other gets that one's separators. */
function withSeparatorsOf(root: string, rest: string): string {
  const isWindows = /^[A-Za-z]:|\\/.test(root)
  if (isWindows) return root.includes("/") ? rest : rest.replaceAll("/", "\\")
  return root.startsWith("/") || root === "" ? rest.replaceAll("\\", "/") : rest
}
