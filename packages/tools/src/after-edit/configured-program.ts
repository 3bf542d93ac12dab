import { basename } from "node:path"

/** A program that the configuration names, never a shell's text. */
export interface ConfiguredProgram {
  /** For people and the model. */
  readonly name: string
  /** Program and arguments. In an argument, `$FILE` stands for the file's absolute path. */
  readonly command: readonly string[]
  /** How names of files end that it is for, such as `.ts`, in any case. Empty: it is for every file. */
  readonly extensions: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Milliseconds until it is stopped; 0: never. */
  readonly timeout?: number
}

const FILE = "$FILE"

/** By the end of the file's name, which is longer than the extension alone. */
export function isMeantFor({ extensions }: Pick<ConfiguredProgram, "extensions">, path: string): boolean {
  const name = basename(path).toLowerCase()
  return (
    extensions.length === 0 ||
    extensions.some((extension) => {
      const end = `.${extension.replace(/^\./, "").toLowerCase()}`
      return name.endsWith(end) && name.length > end.length
    })
  )
}

/** Whether it looks at one file, and not at the project as a whole. */
export function takesFile({ command }: Pick<ConfiguredProgram, "command">): boolean {
  return command.slice(1).some((argument) => argument.includes(FILE))
}

/**
 * What is run for a file. Its path is absolute, so that no name reads as an option, and a part of one argument whatever
 * characters it has.
 */
export function argvFor({ command: [program = "", ...args] }: Pick<ConfiguredProgram, "command">, path: string) {
  return [program, ...args.map((argument) => argument.replaceAll(FILE, () => path))]
}
