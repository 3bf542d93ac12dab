import type { CommandName } from "./command.ts"
import { generalOptions } from "./general.ts"
import { suggestion } from "./suggestion.ts"
import { UsageError } from "./usage-error.ts"

export interface FoundCommand<Named extends CommandName> {
  readonly command: Named
  /** What follows the command's name. */
  readonly rest: readonly string[]
}

/** The command that the arguments begin with; of two that fit, the one with the longer name. Else throws UsageError. */
export function findCommand<Named extends CommandName>(
  commands: readonly Named[],
  given: readonly string[],
): FoundCommand<Named> {
  const [first = "", second] = given
  const two = commandNamed(commands, `${first} ${second}`)
  if (two) return { command: two, rest: given.slice(2) }
  const one = commandNamed(commands, first)
  if (one) return { command: one, rest: given.slice(1) }

  const members = commandsOf(commands, first).map(({ name }) => name)
  if (members.length > 0 && (second === undefined || second.startsWith("-"))) {
    throw new UsageError(`Which one of: ${members.join(", ")}?`, `See: pawl ${first} --help`)
  }
  if (members.length > 0) throw unknown(`${first} ${second}`, members, `See: pawl ${first} --help`)
  const written = first.split("=")[0] ?? ""
  if (GENERAL.includes(written))
    throw new UsageError(`What is to be done? ${written} is for a command.`, "See: pawl --help")
  const option = first.startsWith("--") ? suggestion(first, GENERAL) : undefined
  if (option !== undefined) throw new UsageError(`"${first}" is no option. Did you mean ${option}?`, "See: pawl --help")
  const names = everyName(commands).flatMap(({ name }) => [name, name.split(" ")[0] ?? name])
  throw unknown(first, [...new Set(names)], "See: pawl --help")
}

/** The command that is called so, by its own name or another one of it. */
export function commandNamed<Named extends CommandName>(commands: readonly Named[], name: string): Named | undefined {
  return commands.find((each) => each.name === name) ?? commands.find(({ aliases = [] }) => aliases.includes(name))
}

/** The commands below a first word, such as `session`, by the names that they have there. */
export function commandsOf<Named extends CommandName>(commands: readonly Named[], group: string): readonly Named[] {
  return everyName(commands).filter(({ name }) => name.startsWith(`${group} `))
}

/** Each command once for each of its names. */
export function everyName<Named extends CommandName>(commands: readonly Named[]): readonly Named[] {
  return commands.flatMap((command) => [command, ...(command.aliases ?? []).map((name) => ({ ...command, name }))])
}

const GENERAL = [...Object.keys(generalOptions).map((name) => `--${name}`), "-q", "--help", "--version"]

function unknown(written: string, names: readonly string[], hint: string): UsageError {
  const meant = suggestion(written, names)
  return new UsageError(`"${written}" is no command.${meant === undefined ? "" : ` Did you mean "${meant}"?`}`, hint)
}
