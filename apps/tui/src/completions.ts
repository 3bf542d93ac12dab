import { plainLine } from "@pawl/plain-text"
import type { Command } from "./commands/command.ts"
import type { Source } from "./source/source.ts"
import { fuzzyFilter } from "./terminal/fuzzy.ts"
import type { Complete, Completion } from "./terminal/prompt-editor.ts"

const MAX_FILES = 20

/** Suggests commands behind a slash at the beginning, and files and agents behind an @. */
export function createCompletions(
  source: Pick<Source, "commands" | "agents" | "findFiles">,
  own: readonly Command[],
): Complete {
  async function commandCompletions(name: string): Promise<Completion[]> {
    const others = await source.commands()
    const names = new Set(own.map((command) => command.name))
    const all = [...own, ...others.filter((command) => !names.has(command.name))]
    return fuzzyFilter(all, name, (command) => command.name).map((command) => ({
      value: `/${command.name}`,
      label: `/${command.name}`,
      description: plainLine(command.description ?? ""),
    }))
  }
  async function mentionCompletions(written: string): Promise<Completion[]> {
    const paths = await source.findFiles(written, MAX_FILES)
    return paths.map((path) => {
      const shown = plainLine(path)
      return { value: /\s/.test(path) ? `@"${path}" ` : `@${path} `, label: shown }
    })
  }
  return async (word, { isFirst }) => {
    if (isFirst && word.startsWith("/")) return commandCompletions(word.slice(1))
    return word.startsWith("@") ? mentionCompletions(word.slice(1)) : undefined
  }
}
