import type { CommandInput } from "../arguments/command.ts"
import { suggestion } from "../arguments/suggestion.ts"
import { UsageError } from "../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { inspect, type Inspected } from "@pawl/runtime/plugins/inspect"
import { plainLine, plainText } from "../render/plain.ts"
import { createTheme, wantsColour } from "../render/theme.ts"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { allAgents } from "@pawl/runtime/config/agents"
import { readDefinedSettings } from "@pawl/runtime/config/definitions"
import { layerOf } from "@pawl/config/layer"
import type { definitionOptions } from "./definitions.form.ts"

type Input = CommandInput<typeof definitionOptions>

/** The printed form of a definition: short facts, then its text. */
interface Shown {
  readonly facts: Readonly<Record<string, unknown>>
  readonly text: string | undefined
}

interface Kind {
  /** Command group, as in `agent list`. */
  readonly word: "agent" | "command" | "skill"
  readonly names: (inspected: Inspected) => readonly string[]
  readonly find: (inspected: Inspected, name: string) => Shown | undefined
}

export function agentShow(input: Input, host: Host): Promise<ExitCode> {
  return show(input, host, {
    word: "agent",
    names: ({ settings: { config } }) => [...allAgents(config.agent).keys()],
    find({ settings: { config, definitions, layers } }, name) {
      const agent = allAgents(config.agent).get(name)
      if (!agent) return undefined
      const { prompt, ...facts } = agent
      const definition = definitions.agents.find((each) => each.name === name)
      const file = definition?.source
      const rules = definition?.rules.map(({ permission, pattern, action }) => ({ permission, pattern, action }))
      const configured = layerOf(layers, (each) => each.agent?.[name])?.source
      const sources = [file, configured].filter((source) => source !== undefined)
      return { facts: { ...facts, rules, sources: sources.length > 0 ? sources : ["built-in"] }, text: prompt }
    },
  })
}

export function commandShow(input: Input, host: Host): Promise<ExitCode> {
  return show(input, host, {
    word: "command",
    names: ({ commands }) => commands.map(({ name }) => name),
    find({ commands }, name) {
      const command = commands.find((each) => each.name === name.replace(/^\//, ""))
      if (!command) return undefined
      const { template, source = "built-in", ...facts } = command
      return { facts: { ...facts, source }, text: template }
    },
  })
}

export function skillShow(input: Input, host: Host): Promise<ExitCode> {
  return show(input, host, {
    word: "skill",
    names: ({ settings: { definitions } }) => definitions.skills.map(({ name }) => name),
    find({ settings: { definitions } }, name) {
      const skill = definitions.skills.find((each) => each.name === name)
      if (!skill) return undefined
      const { content, description, source } = skill
      return { facts: { name, description, source }, text: content }
    },
  })
}

async function show(
  { options, words: [name = ""] }: Input,
  host: Host,
  { word, names, find }: Kind,
): Promise<ExitCode> {
  const { stdout, environment } = host
  const settings = await readDefinedSettings(host, await workDirectory(host, options.dir))
  const { shown, known } = await inspect(settings, host, (inspected) => {
    return { shown: find(inspected, name), known: names(inspected) }
  })
  if (!shown) {
    const meant = suggestion(name, known)
    const also = meant === undefined ? "" : ` Did you mean "${meant}"?`
    throw new UsageError(`unknown ${word} "${name}".${also}`, `List them: pawl ${word} list`)
  }
  const { facts, text } = shown
  if (options.format === "json") {
    const field = { agent: "prompt", command: "template", skill: "content" }[word]
    stdout.write(`${JSON.stringify({ ...facts, [field]: text })}\n`)
    return exitCodes.success
  }
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const given = Object.entries(facts).filter(([, value]) => value !== undefined)
  const widest = Math.max(...given.map(([key]) => key.length))
  for (const [key, value] of given) {
    const written = typeof value === "string" ? value : JSON.stringify(value)
    stdout.write(`${theme.accent(key.padEnd(widest))}  ${plainLine(written)}\n`)
  }
  if (text !== undefined && text.trim() !== "") stdout.write(`\n${plainText(text).trimEnd()}\n`)
  return exitCodes.success
}
