import type { CommandName } from "./command.ts"
import { generalOptions } from "./general.ts"
import { didYouMean } from "@pawl/config/suggestion"
import { UsageError } from "./usage-error.ts"

export interface FoundCommand<Named extends CommandName> {
  readonly command: Named
  /** Arguments after the command's name. */
  readonly rest: readonly string[]
}

/** Returns the command that the arguments begin with. A two-word name takes precedence. Throws UsageError for an unknown command. */
export function findCommand<Named extends CommandName>(
  commands: readonly Named[],
  args: readonly string[],
): FoundCommand<Named> {
  const [first = "", second] = args
  const two = commandNamed(commands, `${first} ${second}`)
  if (two) return { command: two, rest: args.slice(2) }
  const one = commandNamed(commands, first)
  if (one) return { command: one, rest: args.slice(1) }

  const members = commandsOf(commands, first).map(({ name }) => name)
  if (members.length > 0 && (second === undefined || second.startsWith("-"))) {
    const known = members.map((name) => name.slice(first.length + 1)).join(", ")
    throw new UsageError(`pawl ${first} requires a subcommand: ${known}`, `See: pawl ${first} --help`)
  }
  if (members.length > 0) throw unknown(`${first} ${second}`, members, `See: pawl ${first} --help`)
  const written = first.split("=")[0] ?? ""
  if (GENERAL.includes(written)) throw new UsageError(`missing command after ${written}`, "See: pawl --help")
  if (first.startsWith("-"))
    throw new UsageError(`unknown option ${first}${didYouMean(first, GENERAL)}`, "See: pawl --help")
  const names = everyName(commands).flatMap(({ name }) => [name, name.split(" ")[0] ?? name])
  throw unknown(first, [...new Set(names)], "See: pawl --help")
}

/** Returns the command with this name or alias. */
export function commandNamed<Named extends CommandName>(commands: readonly Named[], name: string): Named | undefined {
  return commands.find((each) => each.name === name) ?? commands.find(({ aliases = [] }) => aliases.includes(name))
}

/** Returns the commands in a group such as `session`, under the names or aliases that they have in the group. */
export function commandsOf<Named extends CommandName>(commands: readonly Named[], group: string): readonly Named[] {
  return everyName(commands).filter(({ name }) => name.startsWith(`${group} `))
}

/** Returns each command once for each of its names and aliases. */
export function everyName<Named extends CommandName>(commands: readonly Named[]): readonly Named[] {
  return commands.flatMap((command) => [command, ...(command.aliases ?? []).map((name) => ({ ...command, name }))])
}

const GENERAL = [...Object.keys(generalOptions).map((name) => `--${name}`), "-q", "--help", "--version"]

function unknown(written: string, names: readonly string[], hint: string): UsageError {
  return new UsageError(`unknown command "${written}"${didYouMean(written, names, '"')}`, hint)
}
