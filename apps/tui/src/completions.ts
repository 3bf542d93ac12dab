import { plainLine } from "@pawl/plain-text"
import type { Command } from "./commands/command.ts"
import type { Source } from "./source/source.ts"
import { fuzzyFilter } from "./terminal/fuzzy.ts"
import type { Complete, Completion } from "./terminal/prompt-editor.ts"

const MAX_FILES = 20
const MAX_FILES_BEFORE = 4
const MAX_AGENTS = 5

/** Suggests commands behind a slash at the beginning, and files and agents behind an @. */
export function createCompletions(
  source: Pick<Source, "commands" | "subagents" | "findFiles">,
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
    const agents = fuzzyFilter(await source.subagents(), written, ({ name }) => name)
    const paths = await source.findFiles(written, MAX_FILES)
    const named = agents.slice(0, MAX_AGENTS).map(({ name, description = "" }) => {
      return { value: `@${name} `, label: plainLine(name), description: plainLine(`subagent · ${description}`) }
    })
    const files = paths.map((path) => {
      const shown = plainLine(path)
      return { value: /\s/.test(path) ? `@"${path}" ` : `@${path} `, label: shown }
    })
    // The list shows six: files are looked for more often than agents.
    return written === ""
      ? [...files.slice(0, MAX_FILES_BEFORE), ...named, ...files.slice(MAX_FILES_BEFORE)]
      : [...named, ...files]
  }
  return async (word, { isFirst }) => {
    if (isFirst && word.startsWith("/")) return commandCompletions(word.slice(1))
    return word.startsWith("@") ? mentionCompletions(word.slice(1)) : undefined
  }
}
