import { accessSync, constants, statSync } from "node:fs"
import { delimiter, isAbsolute, join, resolve } from "node:path"

export interface WhichOptions {
  /** Directories in the form of the variable PATH. Default: the PATH of `env`. */
  readonly PATH?: string
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** Returns the absolute path of a program; undefined if it is not found. */
export function findProgram(name: string, options: WhichOptions = {}): string | undefined {
  const { env = process.env, cwd = process.cwd() } = options
  const PATH = options.PATH ?? env["PATH"] ?? ""
  if (name === "") return undefined
  if (isAbsolute(name) || name.includes("/")) return runnable(resolve(cwd, name))
  const endings = process.platform === "win32" ? [".exe", ".cmd", ".bat", ""] : [""]
  for (const directory of PATH.split(delimiter)) {
    for (const ending of endings) {
      const found = runnable(resolve(cwd, join(directory === "" ? "." : directory, name + ending)))
      if (found !== undefined) return found
    }
  }
  return undefined
}

function runnable(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile() ? path : undefined
  } catch {
    return undefined
  }
}
