import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

/** Knows which modules belong to plugins and what they import. URLs have no query and hash. */
export interface ModuleGraph {
  /** Adds a module. Its imports are added as they are resolved. */
  add(url: string): void
  /** Adds everything in a directory: an installed package with its dependencies. `url` ends with a slash. */
  addRoot(url: string): void
  has(url: string): boolean
  addImport(parent: string, child: string): void
  /** Returns sorted paths of the file and its imports, without installed packages. */
  files(url: string): string[]
  /** Records the content of a module's file when it is loaded. The last call counts. */
  wasRead(url: string, content: string | Uint8Array): void
  /** Returns true if all read `files` still have the recorded content. */
  isUnchanged(url: string): Promise<boolean>
}

export function createModuleGraph(): ModuleGraph {
  const members = new Set<string>()
  const roots: string[] = []
  const imports = new Map<string, Set<string>>()
  const contents = new Map<string, string>()
  const has = (url: string) => members.has(url) || roots.some((root) => url.startsWith(root))

  function local(url: string): Set<string> {
    const found = new Set([url])
    for (const each of found) for (const child of imports.get(each) ?? []) if (!isInstalled(child)) found.add(child)
    return found
  }

  return {
    has,
    add: (url) => void members.add(url),
    addRoot: (url) => void (roots.includes(url) || roots.push(url)),
    addImport(parent, child) {
      members.add(child)
      const children = imports.get(parent) ?? new Set()
      imports.set(parent, children.add(child))
    },
    files: (url) => Array.from(local(url), (each) => fileURLToPath(each)).toSorted(),
    wasRead: (url, content) => void (isInstalled(url) || contents.set(url, digest(content))),
    async isUnchanged(url) {
      for (const each of local(url)) {
        const then = contents.get(each)
        if (then === undefined) continue
        const now = await readFile(fileURLToPath(each)).catch(() => undefined)
        if (now === undefined || digest(now) !== then) return false
      }
      return true
    },
  }
}

export function isInstalled(url: string): boolean {
  return url.includes("/node_modules/")
}

export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/, "")
}

function digest(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex")
}
