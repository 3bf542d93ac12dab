import type { ExitCode } from "../exit-code.ts"
import type { Host } from "../host.ts"

/** An option. Without `value` it is a switch. */
export interface OptionSpec {
  readonly short?: string
  /** What stands for the value in help texts. */
  readonly value?: string
  /** The value may be left out; given, it stands behind `=`. */
  readonly isOptional?: true
  readonly choices?: readonly string[]
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

/** What the user gave: absent options are absent. */
export type OptionValues<S extends OptionSpecs> = {
  readonly [Name in keyof S]?: S[Name] extends { readonly multiple: true }
    ? readonly OptionValue<S[Name]>[]
    : OptionValue<S[Name]>
}

export interface CommandName {
  /** One or two words: `run`, `session list`. */
  readonly name: string
  readonly summary: string
  /** Other names of it, as people know them from elsewhere. */
  readonly aliases?: readonly string[]
}

/** What parsing and help texts know of a command, besides its name. */
export interface CommandForm<S extends OptionSpecs = OptionSpecs> {
  /** Forms of the command, without `pawl`. */
  readonly usage: readonly string[]
  /** Paragraphs for the help text. */
  readonly notes?: readonly string[]
  /** How many words besides options it takes; `missing` is said when there are too few. */
  readonly words: { readonly min: number; readonly max: number; readonly missing?: string }
  readonly options: S
  /** What its exit codes mean, where that is not what they mean for a task. */
  readonly exitCodes?: Partial<Readonly<Record<ExitCode, string>>>
  readonly examples: readonly (readonly [command: string, meaning: string])[]
  /** What it prints is for programs already, and `--json` changes nothing. */
  readonly isForPrograms?: true
}

export interface CommandInput<S extends OptionSpecs> {
  readonly options: OptionValues<S>
  /** What is not an option, in order. */
  readonly words: readonly string[]
}

export type Command<S extends OptionSpecs> = (input: CommandInput<S>, host: Host) => Promise<ExitCode>

/** One row of the command table. */
export interface CommandRow extends CommandName {
  /** Imports what explains it. */
  readonly form: () => Promise<CommandForm>
  /** Parses what follows the command's name, then loads the code and runs it. Rejects with UsageError before loading. */
  run(given: readonly string[], host: Host): Promise<ExitCode>
}

export interface CommandParts<S extends OptionSpecs> extends CommandName {
  readonly form: () => Promise<CommandForm<S>>
  readonly code: () => Promise<Command<S>>
}

/** Ties a command's code to the options of its form. Each is imported when it is needed. */
export function defineCommand<const S extends OptionSpecs>({ code, ...row }: CommandParts<S>): CommandRow {
  return {
    ...row,
    async run(given, host) {
      // Who explains commands runs none.
      const { runCommand } = await import("./run-command.ts")
      return runCommand({ ...row, code }, given, host)
    },
  }
}
