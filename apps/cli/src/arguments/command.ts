import type { ExitCode, ExitCodeMeanings } from "../exit-code.ts"
import type { Host } from "../host.ts"

/** Sources of completions besides the command line's own words. */
export type Source = "files" | "directories" | "models" | "sessions" | "worktrees"

/** An option of a command. Without `value` it is a flag. */
export interface OptionSpec {
  readonly short?: string
  /** Placeholder of the value in help texts. */
  readonly value?: string
  /** Source of the values that the shell completes. Default: the choices. */
  readonly completes?: Source
  /** Set if the value may be omitted. It is then written as `--name=value`. */
  readonly isOptional?: true
  readonly choices?: readonly string[]
  /** Default in help texts. Options without choices name it in their summary. */
  readonly default?: string
  readonly multiple?: boolean
  readonly summary: string
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

type OptionValue<S extends OptionSpec> = S extends { readonly isOptional: true } ? string | true : GivenValue<S>

type GivenValue<S extends OptionSpec> = S extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : S extends { readonly value: string }
    ? string
    : true

/** The values that the user passed. An option that was not passed has no key. */
export type OptionValues<S extends OptionSpecs> = {
  readonly [Name in keyof S]?: S[Name] extends { readonly multiple: true }
    ? readonly OptionValue<S[Name]>[]
    : OptionValue<S[Name]>
}

/** Sections of the overview, in order. */
export const commandGroups = ["Start", "Sessions", "Models and keys", "Extend", "Safety", "Maintenance"] as const

export interface CommandName {
  /** Name of one or two words: `run`, `session list`. */
  readonly name: string
  /** Section of the overview that lists the command. */
  readonly group: (typeof commandGroups)[number]
  /** Set if the short help lists the command. */
  readonly isCommon?: true
  readonly summary: string
  /** Other names, such as those that similar programs use. */
  readonly aliases?: readonly string[]
}

/** Describes a command to the parser and the help texts. */
export interface CommandForm<S extends OptionSpecs = OptionSpecs> {
  /** Usage lines, without `pawl`. */
  readonly usage: readonly string[]
  /** Paragraphs for the help text. */
  readonly notes?: readonly string[]
  /** Number of arguments besides options. `missing` is the error for too few of them, `completes` the source of their completions. */
  readonly words: {
    readonly min: number
    readonly max: number
    readonly completes?: Source
    readonly missing?: string
  }
  readonly options: S
  /** Exit codes that the command returns in addition to the common ones, and its own words for common ones. */
  readonly exitCodes?: ExitCodeMeanings
  readonly examples: readonly (readonly [command: string, meaning: string])[]
  /** Set if the output is machine-readable anyway, so that `--json` changes nothing. */
  readonly isForPrograms?: true
}

export interface CommandInput<S extends OptionSpecs> {
  readonly options: OptionValues<S>
  /** Arguments that are not options, in order. */
  readonly words: readonly string[]
}

/** A command: its help text, and the handler that runs it. */
export interface Command<S extends OptionSpecs = OptionSpecs> extends CommandForm<S> {
  /** Runs the command. `commands` is the table that it comes from, for help and completion. */
  run(input: CommandInput<S>, host: Host, commands: readonly CommandRow[]): Promise<ExitCode>
}

/** A row of the command table. */
export interface CommandRow extends CommandName {
  /** Imports the command's module. Called when the command is run, explained or completed. */
  readonly load: () => Promise<{ readonly command: Command }>
}

/** Infers the types of a command's options. */
export function defineCommand<const S extends OptionSpecs>(command: Command<S>): Command<S> {
  return command
}
