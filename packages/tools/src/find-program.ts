import { accessSync, constants, statSync } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"

/** Returns the first executable called `name` in the absolute directories of a PATH. */
export function findProgram(name: string, path: string): string | undefined {
  const directories = path.split(delimiter).filter(isAbsolute)
  return directories.map((directory) => join(directory, name)).find(isProgram)
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
