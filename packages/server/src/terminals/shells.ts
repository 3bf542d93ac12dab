import { readFile } from "node:fs/promises"
import { accessSync, constants, statSync } from "node:fs"
import { basename, delimiter, isAbsolute, join, resolve } from "node:path"

/** A shell in OpenCode's form. */
export interface Shell {
  readonly path: string
  readonly name: string
  /** Set if pawl's tools can use it, too. */
  readonly acceptable: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

const KNOWN = ["bash", "zsh", "dash", "sh"]

/** Returns the shells of the system, that of the user first. */
export async function listShells(environment: Environment, shells = "/etc/shells"): Promise<readonly Shell[]> {
  const listed = (await readFile(shells, "utf8").catch(() => "")).split("\n").filter(isAbsolute)
  const found = KNOWN.flatMap((name) => findProgram(name, environment) ?? [])
  const paths = new Set([environment["SHELL"] ?? "", ...found, ...listed].filter((path) => isProgram(path)))
  return [...paths].map((path) => ({ path, name: basename(path), acceptable: KNOWN.includes(basename(path)) }))
}

/** Returns the path of a program. A name is searched in PATH, a path is relative to `cwd`. */
export function findProgram(name: string, environment: Environment, cwd = "/"): string | undefined {
  if (/[\\/]/.test(name)) return [resolve(cwd, name)].find(isProgram)
  const directories = (environment["PATH"] ?? "").split(delimiter).filter(isAbsolute)
  return directories.map((directory) => join(directory, name)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return isAbsolute(path) && statSync(path).isFile()
  } catch {
    return false
  }
}
