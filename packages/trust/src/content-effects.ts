import type { ReadFile } from "./content-reader.ts"

export interface Does {
  readonly does: readonly string[]
  readonly what: string
}

const NOTHING: Does = { does: [], what: "" }

/** Returns the effects of a file that follow from its location. */
export function contentEffects({ kind, text }: Pick<ReadFile, "kind" | "text">): Does {
  if (kind === "plugin")
    return { does: ["runs inside pawl, and sees and changes what is said and done"], what: "plugin" }
  if (kind === "tool") return { does: ["gives the model a tool; its code runs inside pawl"], what: "tool" }
  if (kind === "mcp") return mcpEffects(text)
  if (kind === "command") return commandEffects(text)
  return kind === "agent" ? agentEffects(text.slice(0, MAX_FRONT_MATTER_LENGTH)) : NOTHING
}

/** Longer text is not front matter. */
const MAX_FRONT_MATTER_LENGTH = 20_000

/** Effects of keys in an agent's front matter that need trust. */
const AGENT_KEYS: Readonly<Record<string, string>> = {
  delegates: "lets the subagents of this agent do what it may not do itself",
  fallback: "sends what is said to other models where that of this agent cannot answer",
}

function agentEffects(text: string): Does {
  const keys = Object.keys(AGENT_KEYS).filter((key) => hasKey(text, key))
  return { does: keys.map((key) => AGENT_KEYS[key] ?? key), what: `${keys.join(" and ")} of an agent` }
}

/** In the front matter, in whatever way YAML lets it be written: a key with an escape in it may be any. */
function hasKey(text: string, key: string): boolean {
  const [, yaml] = FRONT.exec(text) ?? []
  return yaml !== undefined && new RegExp(`(?:\\b${key}|\\\\[xuU][^"\\n]*)["']?\\s*:`).test(yaml)
}

/** Also one that does not end: then nothing of the file counts. */
const FRONT = /^\uFEFF?---[ \t]*\r?\n((?:(?!---[ \t]*\r?(?:\n|$))[^\n]*\n)*)/

/** As templates are read: a command may be long, and have several lines. */
const SHELL = /!`([^`]+)`/g

/** The shell commands that a template runs when it is used. */
export function shellOf(template: string): string[] {
  return [...template.matchAll(SHELL)].map(([, command = ""]) => command)
}

function commandEffects(text: string): Does {
  const commands = shellOf(text)
  return { does: commands.map((command) => `runs when the command is used: ${command}`), what: "shell in a command" }
}

function mcpEffects(text: string): Does {
  const what = "MCP servers"
  const servers = serversOf(text)
  if (!servers) return { does: ["configures MCP servers, and cannot be read"], what }
  return { does: servers.map(([name, server]) => serverEffect(name, server)), what }
}

/** Returns the effect of an entry in a table of MCP servers, in any known form. */
export function serverEffect(name: string, server: unknown): string {
  const { command, args, url, enabled, cwd, env, environment = env, headers } = isRecord(server) ? server : {}
  // Who writes a switch alone means a server that is written elsewhere.
  if (command === undefined && url === undefined && typeof enabled === "boolean") {
    return `switches the MCP server "${name}" ${enabled ? "on" : "off"}`
  }
  const words = [command, args].flat().filter((word) => typeof word === "string")
  const isStarted = typeof url !== "string" || command !== undefined
  return [
    ...(isStarted ? [`starts the MCP server "${name}": ${words.join(" ") || "unknown"}`] : []),
    ...(typeof url === "string" ? [`sends what is said to the MCP server "${name}" at ${url}`] : []),
    ...(cwd === undefined ? [] : [`in the directory ${written(cwd)}`]),
    ...(environment === undefined ? [] : [`with the variables ${written(environment)}`]),
    ...(headers === undefined ? [] : [`with the headers ${written(headers)}`]),
  ].join(", ")
}

/** A value of a file as it stands there, a text without quotes. */
export function written(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value)
}

function serversOf(text: string): [string, unknown][] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const table = isRecord(value) ? (value["mcpServers"] ?? value["servers"] ?? value) : undefined
    return isRecord(table) ? Object.entries(table) : undefined
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
