import { basename, isAbsolute } from "node:path"
import { findProgram, isProgram } from "../find-program.ts"

const NAMES = ["bash", "zsh", "dash", "sh"] as const

/** What reads commands. They are judged by bash's grammar, so that whatever another one makes of them is unclear. */
export interface Shell {
  readonly name: (typeof NAMES)[number]
  /** Absolute; a name where none was found, to be looked for on the command's own PATH. */
  readonly program: string
}

/** The shell that was asked for cannot be had; the message says why, and what is possible. */
export class ShellUnavailableError extends Error {
  override readonly name = "ShellUnavailableError"
}

/**
 * The shell of that name or absolute path; where none is asked for bash, or sh where there is no bash. Throws
 * ShellUnavailableError where it is not there, or of another kind. `path`: where names are looked for, by default the PATH
 * of this process.
 */
export function findShell(asked?: string, path: string = process.env["PATH"] ?? ""): Shell {
  if (asked === undefined) return found("bash", path) ?? found("sh", path) ?? { name: "sh", program: "sh" }
  const name = NAMES.find((each) => each === basename(asked))
  if (name === undefined) {
    throw new ShellUnavailableError(
      `${asked} is no shell for commands. Name bash, or zsh, dash or sh, or an absolute path to one.`,
    )
  }
  if (isAbsolute(asked) && isProgram(asked)) return { name, program: asked }
  const shell = asked === name ? found(name, path) : undefined
  if (shell) return shell
  const place = asked === name ? "on the PATH" : "there that can be run"
  throw new ShellUnavailableError(
    `${asked}: no such shell is ${place}. Name bash, zsh, dash or sh, or an absolute path to one.`,
  )
}

function found(name: Shell["name"], path: string): Shell | undefined {
  const program = findProgram(name, path)
  return program === undefined ? undefined : { name, program }
}
