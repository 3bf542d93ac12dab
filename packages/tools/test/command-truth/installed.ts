import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"

const BUILTINS = new Set(
  "bash cd echo exec read source s a d f if export local p for while x declare IFS mapfile readarray set unset shopt false printf pushd select case coproc".split(
    " ",
  ),
)

/** Whether bash finds the program. */
export function isInstalled(program: string): boolean {
  const directories = (process.env["PATH"] ?? "").split(delimiter)
  return (
    BUILTINS.has(program) ||
    !/^[a-z]/.test(program) ||
    directories.some((directory) => existsSync(join(directory, program)))
  )
}
