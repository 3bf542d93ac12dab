import type { LocatedRule } from "../permission-rules.ts"
import type { AgentDefinition } from "./definition.ts"
import { at, type Defined, type Markdown, textOf } from "./markdown.ts"
import { wrongName } from "./name.ts"

/** Maps the names of Claude Code's tools to the permissions of pawl's corresponding tools. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  Agent: "task",
  AskUserQuestion: "question",
  Bash: "bash",
  Edit: "edit",
  Glob: "glob",
  Grep: "grep",
  LS: "list",
  MultiEdit: "edit",
  NotebookEdit: "edit",
  Read: "read",
  Skill: "skill",
  Task: "task",
  TodoWrite: "todowrite",
  WebFetch: "webfetch",
  WebSearch: "websearch",
  Write: "edit",
}

/** Permissions that are not tools, and are asked in addition to a tool's own permission. */
const BESIDES = ["doom_loop", "external_directory", "protected_file"]

/**
 * Reads an agent of Claude Code: a subagent with its name, description, prompt and list of tools. Ignores all other
 * keys, also `model`, since their values are specific to Claude Code.
 */
export function toClaudeAgent(markdown: Markdown): Defined<AgentDefinition> {
  const { found, body, values, locate } = markdown
  const name = textOf(markdown, "name") ?? found.name
  const wrong = wrongName(name, { isNested: true })
  if (wrong !== undefined) return { errors: [at(["name"], wrong, locate)], notices: [] }

  const tools = listOf(values["tools"])
  const without = listOf(values["disallowedTools"])
  if (tools === undefined || without === undefined) {
    const key = tools === undefined ? "tools" : "disallowedTools"
    return { errors: [at([key], `${key} must be names of tools with commas between them.`, locate)], notices: [] }
  }
  const line = (key: string) => locate([key], "key")?.line
  const description = textOf(markdown, "description")
  const definition: AgentDefinition = {
    ...{ name, source: found.file, isProject: found.isProject, onlyTightens: true, replaces: [] },
    config: {
      mode: "subagent",
      ...(description === undefined ? {} : { description }),
      ...(body === "" ? {} : { prompt: body }),
    },
    rules: [
      ...rulesFor(tools, line("tools")),
      ...without.map((tool) => ruleFor(tool, "deny", line("disallowedTools"))),
    ],
  }
  return { definition, errors: [], notices: [] }
}

/** Parses `Read, Bash(git log:*)`, or the same as an array. Empty if there is no value, undefined if it is invalid. */
function listOf(value: unknown): string[] | undefined {
  if (value === undefined) return []
  const items: unknown[] = typeof value === "string" ? (value.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? []) : [value].flat()
  return items.every((item) => typeof item === "string") ? items : undefined
}

/** Returns the rules for a list of tools. An empty list allows all tools. */
function rulesFor(tools: readonly string[], line: number | undefined): LocatedRule[] {
  if (tools.length === 0 || tools.includes("*")) return []
  const all = ruleFor("*", "deny", line)
  const besides = BESIDES.map((permission): LocatedRule => ({ ...all, permission, action: "allow" }))
  return [all, ...besides, ...tools.map((tool) => ruleFor(tool, "allow", line))]
}

function ruleFor(tool: string, action: LocatedRule["action"], line: number | undefined): LocatedRule {
  const [, name = tool, argument] = /^([^(]+)\((.*)\)$/.exec(tool) ?? []
  const permission = Object.hasOwn(PERMISSIONS, name) ? PERMISSIONS[name] : permissionOfServer(name)
  return {
    permission: permission ?? name,
    // Only patterns for commands have a common syntax.
    pattern: permission === "bash" && argument ? argument.replace(/:\*$/, " *") : "*",
    action,
    ...(line === undefined ? {} : { line }),
  }
}

/** Parses `mcp__server__tool` or `mcp__server`. */
function permissionOfServer(name: string): string | undefined {
  const [, server, tool = "*"] = /^mcp__(.+?)(?:__(.+))?$/.exec(name) ?? []
  return server === undefined ? undefined : `${server}_${tool}`
}
