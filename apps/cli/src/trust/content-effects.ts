import type { ReadFile } from "./content-reader.ts"

export interface Does {
  readonly does: readonly string[]
  readonly what: string
}

const NOTHING: Does = { does: [], what: "" }

/** What a file does by being where it is. */
export function contentEffects({ kind, text }: Pick<ReadFile, "kind" | "text">): Does {
  if (kind === "plugin")
    return { does: ["runs inside pawl, and sees and changes what is said and done"], what: "plugin" }
  if (kind === "tool") return { does: ["gives the model a tool; its code runs inside pawl"], what: "tool" }
  if (kind === "mcp") return mcpEffects(text)
  if (kind === "command") return commandEffects(text)
  if (kind === "agent" && DELEGATES.test(text.slice(0, FRONT_MATTER))) return DELEGATING
  return NOTHING
}

/** In the front matter, in whatever way YAML lets it be written. */
const DELEGATES = /^\uFEFF?---[ \t]*\r?\n(?:(?!---[ \t]*\r?$).*\n)*?.*\bdelegates["']?\s*:/m
/** Characters: what is longer is no front matter. */
const FRONT_MATTER = 20_000
const DELEGATING: Does = {
  does: ["lets the subagents of this agent do what it may not do itself"],
  what: "delegates of an agent",
}

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

/** Of an entry in a table of MCP servers, in any of the forms that are about. */
export function serverEffect(name: string, server: unknown): string {
  const { command, args, url, enabled } = isRecord(server) ? server : {}
  // Who writes a switch alone means a server that is written elsewhere.
  if (command === undefined && url === undefined && typeof enabled === "boolean") {
    return `switches the MCP server "${name}" ${enabled ? "on" : "off"}`
  }
  if (typeof url === "string") return `sends what is said to the MCP server "${name}" at ${url}`
  const words = [command, args].flat().filter((word) => typeof word === "string")
  return `starts the MCP server "${name}": ${words.join(" ") || "unknown"}`
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
