import { readFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"

/** Returns the file that `import` of the package would load from the directories; undefined if it is not installed. */
export async function findPackage(name: string, directories: readonly string[]): Promise<string | undefined> {
  for (const directory of directories) {
    const found = await findAbove(name, directory)
    if (found !== undefined) return found
  }
  return undefined
}

async function findAbove(name: string, directory: string): Promise<string | undefined> {
  for (let at = resolve(directory); ; at = dirname(at)) {
    const folder = join(at, "node_modules", name)
    const manifest = await readManifest(folder)
    if (manifest) return join(folder, entryOf(manifest))
    if (dirname(at) === at) return undefined
  }
}

interface Manifest {
  readonly exports?: unknown
  readonly main?: unknown
}

async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest
  } catch {
    // The manifest is missing or invalid.
    return undefined
  }
}

function entryOf({ exports, main }: Manifest): string {
  return exportTarget(exports) ?? (typeof main === "string" ? main : "index.js")
}

const CONDITIONS: ReadonlySet<string> = new Set(["node", "node-addons", "import", "module-sync", "default"])

/** Returns the target of the package itself, as Node selects it: conditions are tried in the order of the manifest. */
function exportTarget(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports
  if (typeof exports !== "object" || exports === null) return undefined
  if (Array.isArray(exports)) return exports.map(exportTarget).find((target) => target !== undefined)
  if ("." in exports) return exportTarget(exports["."])
  return Object.entries(exports)
    .filter(([condition]) => CONDITIONS.has(condition))
    .map(([, target]) => exportTarget(target))
    .find((target) => target !== undefined)
}
