import { accessSync, constants, statSync } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"

/** The program of that name in one of the absolute directories of a PATH; undefined where there is none. */
export function findProgram(name: string, path: string): string | undefined {
  const places = path.split(delimiter).filter(isAbsolute)
  return places.map((directory) => join(directory, name)).find(isProgram)
}

/** Whether there is a file that may be run. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
