import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { suggestion } from "@pawl/config/suggestion"
import { UsageError } from "@pawl/config/usage-error"
import type { FileDefinitions } from "../config/definitions.ts"
import { builtinCommands, type Command } from "./builtin-commands.ts"
import { type CommandCall, slashCommand } from "./slash-command.ts"

/** Returns all commands of files and all built-in ones, sorted by name. */
export function allCommands({ commands }: Pick<FileDefinitions, "commands">): Command[] {
  const byName = new Map([...builtinCommands, ...commands].map((command) => [command.name, command]))
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** A command to use. */
export interface ChosenCommand {
  readonly command: Command
  readonly arguments: string
}

/**
 * Returns the command of the option, or the one that the typed words begin with. Undefined for a plain prompt, such as one that
 * begins with a path. Throws UsageError for an unknown command.
 */
export function findCommand(
  { typed, name }: { readonly typed: string; readonly name?: string | undefined },
  commands: readonly Command[],
  directory: string,
): ChosenCommand | undefined {
  const call: CommandCall | undefined = name === undefined ? slashCommand(typed) : { name, arguments: typed }
  if (!call) return undefined
  const wanted = call.name.replace(/^\//, "")
  const command = commands.find((each) => each.name === wanted)
  if (command) return { command, arguments: call.arguments }
  if (name === undefined && (!/^[a-z][\w:-]*$/.test(wanted) || existsSync(resolve(directory, `/${wanted}`)))) {
    return undefined
  }
  const names = commands.map((each) => each.name)
  const meant = suggestion(wanted, names)
  throw new UsageError(
    `There is no command /${wanted}.${meant === undefined ? "" : ` Did you mean /${meant}?`}`,
    `Known are ${names.map((each) => `/${each}`).join(", ")}. What they do: pawl command list`,
  )
}
