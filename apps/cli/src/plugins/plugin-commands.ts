import type { Engine } from "@pawl/core"
import { builtinCommands, type Command } from "../prompt/builtin-commands.ts"

/**
 * Every command there is, in the order of names. What somebody wrote into a file goes before a plugin's of the same name,
 * that before pawl's own; of two plugins the later one's counts.
 */
export async function pluginCommands(engine: Engine, others: readonly Command[]): Promise<Command[]> {
  const offered = await engine.plugins.commands()
  if (offered.length === 0) return [...others]
  const made = offered.map((command): Command => {
    const { plugin, name, description, agent, model } = command
    return {
      ...{ name, template: "", source: `plugin ${plugin}`, isProject: false },
      expand: (args, signal) => command.expand(args, signal),
      ...(description === undefined ? {} : { description }),
      ...(agent === undefined ? {} : { agent }),
      ...(model === undefined ? {} : { model }),
    }
  })
  const written = others.filter((command) => !builtinCommands.includes(command))
  const byName = new Map([...builtinCommands, ...made, ...written].map((command) => [command.name, command]))
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
