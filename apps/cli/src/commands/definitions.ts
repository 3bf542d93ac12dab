import { builtinAgents, isFor } from "@pawl/core"
import type { CommandInput } from "../arguments/command.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { inspect, type Inspected } from "@pawl/runtime/plugins/inspect"
import { subtaskAgent } from "@pawl/runtime/prompt/prepare-prompt"
import { definitionLines, type DefinitionRow } from "../render/definition-lines.ts"
import { errorLines } from "../render/error-lines.ts"
import { plainLine } from "../render/plain.ts"
import { shortPath } from "../render/short-path.ts"
import { createTheme, wantsColour } from "../render/theme.ts"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { allAgents } from "@pawl/runtime/config/agents"
import { readDefinedSettings } from "@pawl/runtime/config/definitions"
import { layerOf } from "@pawl/config/layer"
import type { definitionOptions } from "./definitions.form.ts"

type Input = CommandInput<typeof definitionOptions>

/** A row with its JSON form. */
interface Listed extends DefinitionRow {
  readonly facts: Readonly<Record<string, unknown>>
}

export function agentList(input: Input, host: Host): Promise<ExitCode> {
  return list(input, host, ({ settings: { config, definitions, layers } }) => {
    const agents = [...allAgents(config.agent).values()].filter(({ hidden }) => !hidden)
    return agents.map((agent): Listed => {
      const { name, description = "", mode = "all", model, steps, color } = agent
      const file = definitions.agents.find((each) => each.name === name)?.source
      const configured = layerOf(layers, (each) => each.agent?.[name])?.source
      const isBuiltin = builtinAgents.some((each) => each.name === name)
      const sources = [...(isBuiltin ? ["built-in"] : []), file, configured].filter((source) => source !== undefined)
      const who = isFor(agent, "user") ? (isFor(agent, "agent") ? "all" : "primary") : "subagent"
      const written = config.agent?.[name]?.model
      const facts = { name, description, mode, sources, ...(written === undefined ? {} : { model: written }) }
      return {
        ...{ name, description, sources, ...(color === undefined ? {} : { color }) },
        notes: [who, ...(model ? [`${model.providerID}/${model.modelID}`] : [])],
        facts: { ...facts, ...(color === undefined ? {} : { color }), ...(steps === undefined ? {} : { steps }) },
      }
    })
  })
}

export function commandList(input: Input, host: Host): Promise<ExitCode> {
  return list(input, host, ({ settings: { config }, commands }) => {
    const agents = allAgents(config.agent)
    return commands.map((command): Listed => {
      const { name, description = "", agent, model, source = "built-in" } = command
      const worker = subtaskAgent({ command, arguments: "" }, { agents })
      const facts = { name, description, source, agent, model, subtask: worker !== undefined }
      const by = worker === undefined ? (agent === undefined ? [] : [agent]) : [`subtask of ${worker}`]
      return { name: `/${name}`, description, sources: [source], notes: [...by, ...(model ? [model] : [])], facts }
    })
  })
}

export function skillList(input: Input, host: Host): Promise<ExitCode> {
  return list(input, host, ({ settings: { definitions } }) => {
    return definitions.skills.map(({ name, description, source }): Listed => {
      return { name, description, sources: [source], notes: [], facts: { name, description, source } }
    })
  })
}

async function list(
  { options }: Input,
  host: Host,
  rowsOf: (inspected: Inspected) => readonly Listed[],
): Promise<ExitCode> {
  const { stdout, stderr, environment, secrets } = host
  const directory = await workDirectory(host, options.dir)
  const settings = await readDefinedSettings(host, directory)
  const { rows, notices } = await inspect(settings, host, (inspected) => {
    return { rows: rowsOf(inspected), notices: inspected.notices }
  })
  if (options.format === "json") {
    for (const { facts } of rows) stdout.write(`${JSON.stringify(facts)}\n`)
  } else {
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    const shown = rows.map((row) => ({
      ...row,
      sources: row.sources.map((source) => shortPath(source, directory, host)),
    }))
    const lines = definitionLines(shown, { theme, columns: stdout.isTerminal ? stdout.columns : 200 })
    for (const line of lines) stdout.write(`${line}\n`)
    if (rows.length === 0) stderr.write("No definitions found.\n")
  }
  const theme = createTheme(wantsColour(environment, stderr.isTerminal))
  for (const { severity, message } of settings.definitions.problems) {
    if (severity === "error")
      stderr.write(`${errorLines(plainLine(message), { output: stderr, theme, secrets }).join("\n")}\n`)
    else stderr.write(`${theme.faint(secrets.mask(plainLine(message)))}\n`)
  }
  for (const notice of notices) stderr.write(`${theme.faint(secrets.mask(plainLine(notice)))}\n`)
  return exitCodes.success
}
