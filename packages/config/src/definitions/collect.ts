import type { Finding } from "../finding.ts"
import { formatKeyPath } from "../key-path.ts"
import { printable } from "../printable.ts"
import { displayPath } from "../user-path.ts"
import type { AgentDefinition, Definition, DefinitionProblem, Definitions } from "./definition.ts"
import type { FindFailure, FoundFile } from "./find-files.ts"
import type { ReadDefinitionsOptions } from "./options.ts"
import { type FileDefinition, readFiles } from "./read-files.ts"

type Display = Pick<ReadDefinitionsOptions, "directory" | "home">

/** Reads the files, lowest precedence first. The last definition of each name replaces the earlier ones. */
export async function collectDefinitions(
  files: readonly FoundFile[],
  failures: readonly FindFailure[],
  options: Display,
): Promise<Omit<Definitions, "plugins">> {
  const winners: { [Type in FileDefinition["type"]]: Map<string, Extract<FileDefinition, { type: Type }>["value"]> } = {
    agent: new Map(),
    command: new Map(),
    skill: new Map(),
    tool: new Map(),
  }
  const problems = failures.map(({ file, failure }) =>
    problem("error", file, { message: `This ${failure}, and is ignored.` }, options),
  )

  function put<Value extends Definition>(type: string, map: Map<string, Value>, value: Value): Value | undefined {
    const below = map.get(value.name)
    map.set(value.name, value)
    if (below === undefined) return undefined
    const message = `The ${type} "${value.name}" takes the place of the one in ${displayPath(below.source, options)}.`
    problems.push(problem("warning", value.source, { message }, options))
    return below
  }

  for (const { found, definition, errors, notices } of await readFiles(files)) {
    problems.push(...errors.map((each) => problem("error", found.file, each, options)))
    problems.push(...notices.map((each) => problem("warning", found.file, each, options)))
    if (definition === undefined) continue
    const { type, value } = definition
    if (type === "agent") {
      const below = put(type, winners.agent, value)
      if (below !== undefined) winners.agent.set(value.name, replacing(value, below))
    } else if (type === "command") put(type, winners.command, value)
    else if (type === "skill") put(type, winners.skill, value)
    else put(type, winners.tool, value)
  }
  return {
    agents: inOrder(winners.agent),
    commands: inOrder(winners.command),
    skills: inOrder(winners.skill),
    tools: inOrder(winners.tool),
    problems,
  }
}

function replacing(agent: AgentDefinition, below: AgentDefinition): AgentDefinition {
  return { ...agent, replaces: [...below.replaces, { ...below, replaces: [] }] }
}

function inOrder<Value extends Definition>(map: ReadonlyMap<string, Value>): Value[] {
  return [...map.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function problem(
  severity: DefinitionProblem["severity"],
  file: string,
  { message, path, position }: Finding,
  display: Display,
): DefinitionProblem {
  const label = displayPath(file, display)
  const place = position === undefined ? label : `${label}:${position.line}:${position.column}`
  return {
    ...{ severity, file, ...position },
    ...(path === undefined || path.length === 0 ? {} : { path: formatKeyPath(path) }),
    // File names and keys of a project may contain control characters.
    message: printable(`${place}: ${message}`),
  }
}
