import { basename } from "node:path"

/** A program from the configuration. No shell is involved. */
export interface ConfiguredProgram {
  /** Shown to users and to the model. */
  readonly name: string
  /** Program and arguments. `$FILE` in an argument is replaced by the file's absolute path. */
  readonly command: readonly string[]
  /** File extensions that the program applies to, such as `.ts`, in any case. If empty, it applies to every file. */
  readonly extensions: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Milliseconds until the program is stopped; 0: no limit. */
  readonly timeout?: number
}

const FILE = "$FILE"

/** Returns true if the program applies to the file's extension. A name that consists only of an extension has none. */
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

/** Returns true if the program runs per file instead of once for the project. */
export function takesFile({ command }: Pick<ConfiguredProgram, "command">): boolean {
  return command.slice(1).some((argument) => argument.includes(FILE))
}

/**
 * Replaces `$FILE`. The path is absolute, so no name is read as an option, and it stays one argument whatever
 * characters it has.
 */
export function argvFor({ command: [program = "", ...args] }: Pick<ConfiguredProgram, "command">, path: string) {
  return [program, ...args.map((argument) => argument.replaceAll(FILE, () => path))]
}
