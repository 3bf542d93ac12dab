/** Replaces the leading components `from` of a path by `to`. */
export interface PathMapping {
  readonly from: string
  readonly to: string
}

/** Applies the mapping with the longest matching `from`. Returns the path unchanged if no mapping matches. */
export function mappedPath(path: string, mappings: readonly PathMapping[]): string {
  const [best] = mappings
    .map(({ from, to }) => ({ from: withoutEnd(from), to: withoutEnd(to) }))
    .filter(({ from }) => path === from || isBelow(path, from) || (from === "" && /^[\\/]/.test(path)))
    .toSorted((a, b) => b.from.length - a.from.length)
  if (!best) return path
  const moved = best.to + withSeparatorsOf(best.to, path.slice(best.from.length))
  return moved === "" ? "/" : moved
}

/** Maps a `file:` URL. Other URLs stay unchanged. */
export function mappedURL(url: string, mappings: readonly PathMapping[]): string {
  if (!url.startsWith("file://")) return url
  const [, path = "", rest = ""] = /^file:\/\/([^?#]*)(.*)$/s.exec(url) ?? []
  const decoded = decodedPath(path)
  if (decoded === undefined) return url
  // The path of a Windows drive follows a slash: file:///C:/Users
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

/** Uses the separators of the target's system. */
function withSeparatorsOf(root: string, rest: string): string {
  const isWindows = /^[A-Za-z]:|\\/.test(root)
  if (isWindows) return root.includes("/") ? rest : rest.replaceAll("/", "\\")
  return root.startsWith("/") || root === "" ? rest.replaceAll("\\", "/") : rest
}
