import { basename, isAbsolute } from "node:path"
import { findProgram, isProgram } from "../find-program.ts"

const NAMES = ["bash", "zsh", "dash", "sh"] as const

/** A shell for commands. Commands are parsed by bash's grammar, so other shells make a command unclear. */
export interface Shell {
  readonly name: (typeof NAMES)[number]
  /** Absolute path, or a name that is searched on the command's own PATH if no shell was found. */
  readonly program: string
}

/** The requested shell is missing or not supported. */
export class ShellUnavailableError extends Error {
  override readonly name = "ShellUnavailableError"
}

/**
 * Finds a shell by name or absolute path. Default: bash, or sh if bash is missing. Throws ShellUnavailableError if the
 * shell is missing or of another kind. `path` is the PATH to search; default: the one of this process.
 */
export function findShell(requested?: string, path: string = process.env["PATH"] ?? ""): Shell {
  if (requested === undefined) return found("bash", path) ?? found("sh", path) ?? { name: "sh", program: "sh" }
  const name = NAMES.find((each) => each === basename(requested))
  if (name === undefined) {
    throw new ShellUnavailableError(
      `${requested} is not a supported shell. Use bash, zsh, dash or sh, or an absolute path to one.`,
    )
  }
  if (isAbsolute(requested) && isProgram(requested)) return { name, program: requested }
  const shell = requested === name ? found(name, path) : undefined
  if (shell) return shell
  const where = requested === name ? "on the PATH" : "there that can be run"
  throw new ShellUnavailableError(
    `${requested}: no such shell is ${where}. Name bash, zsh, dash or sh, or an absolute path to one.`,
  )
}

function found(name: Shell["name"], path: string): Shell | undefined {
  const program = findProgram(name, path)
  return program === undefined ? undefined : { name, program }
}
