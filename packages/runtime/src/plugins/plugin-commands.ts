import type { Engine } from "@pawl/core"
import { builtinCommands, type Command } from "../prompt/builtin-commands.ts"

/**
 * Returns all commands, sorted by name. For commands of the same name, a file takes precedence over a plugin, and a plugin
 * over a built-in command. Of two plugins, the later one takes precedence.
 */
export async function pluginCommands(engine: Engine, others: readonly Command[]): Promise<Command[]> {
  const offered = await engine.plugins.commands()
  if (offered.length === 0) return [...others]
  const fromPlugins = offered.map((command): Command => {
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
  const byName = new Map([...builtinCommands, ...fromPlugins, ...written].map((command) => [command.name, command]))
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
