import type { McpServerConfig } from "@pawl/config"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { serversFile, writeServer } from "@pawl/runtime/mcp/server-file"
import { plainSecrets } from "@pawl/runtime/mcp/plain-secrets"
import { plainLine } from "@pawl/plain-text"

const mcpAddOptions = {
  url: { value: "<url>", summary: "URL of a remote server" },
  header: { value: "<name: value>", multiple: true, summary: "header of each request to a remote server" },
  env: {
    value: "<NAME=value>",
    multiple: true,
    summary: "variable for a local server; a name alone passes on your own variable at each start",
  },
  cwd: { value: "<directory>", completes: "directories", summary: "working directory of a local server" },
  sse: { summary: "use the older protocol of server-sent events" },
  project: { summary: "use the project's pawl.jsonc instead of your own" },
} as const

type Options = CommandInput<typeof mcpAddOptions>["options"]

const HELP = "See: pawl mcp add --help"

/** Writes a server into a configuration file. Nothing is started. */
async function mcpAdd({ options, words }: CommandInput<typeof mcpAddOptions>, host: Host): Promise<ExitCode> {
  const [name = "", ...command] = words
  const server = serverOf(options, command)
  const file = await serversFile(host, options.project === true)
  await writeServer(file, name, server)
  for (const field of plainSecrets(server)) {
    host.stderr.write(
      `${plainLine(`${field} holds what looks like a secret, and stands in ${file} as it is. {env:NAME} in its place takes it from your environment.`)}\n`,
    )
  }
  host.stdout.write(`${plainLine(`Added "${name}" to ${file}.`)}\n`)
  const next = options.project ? `pawl trust, and pawl mcp allow ${name}` : `pawl mcp list ${name}`
  host.stderr.write(`${options.project ? "To use it here" : "What it offers"}: ${next}\n`)
  return exitCodes.success
}

function serverOf({ url, header, env, cwd, sse }: Options, command: readonly string[]): McpServerConfig {
  if (url !== undefined && command.length > 0) {
    throw new UsageError("--url and a command cannot be used together.", HELP)
  }
  if (url !== undefined) {
    if (env !== undefined || cwd !== undefined) throw new UsageError("--env and --cwd are for a local server.", HELP)
    return {
      ...{ type: "remote", url },
      ...(header ? { headers: Object.fromEntries(header.map(headerOf)) } : {}),
      ...(sse ? { transport: "sse" } : {}),
    }
  }
  if (command.length === 0) throw new UsageError("missing command or URL; pass -- and a command, or --url", HELP)
  if (header !== undefined || sse) throw new UsageError("--header and --sse are for a remote server, with --url.", HELP)
  return {
    ...{ type: "local", command: [...command] },
    ...(cwd === undefined ? {} : { cwd }),
    ...(env ? { environment: Object.fromEntries(env.map(variableOf)) } : {}),
  }
}

function headerOf(text: string): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+)\s*[:=]\s*(.*)$/.exec(text) ?? []
  if (name !== undefined && value !== undefined) return [name, value]
  throw new UsageError(`invalid value "${text}" for --header: expected "name: value"`, HELP)
}

function variableOf(text: string): [string, string] {
  const [, name, value] = /^([A-Za-z_]\w*)(?:=([^]*))?$/.exec(text) ?? []
  if (name !== undefined) return [name, value ?? `{env:${name}}`]
  throw new UsageError(`invalid value "${text}" for --env: expected NAME or NAME=value`, HELP)
}

export const command = defineCommand({
  usage: ["mcp add <name> [options] -- <command> [arguments]", "mcp add <name> --url <url> [options]"],
  notes: [
    "Writes the server to your pawl.jsonc and keeps its comments. To keep secrets out of the file, write {env:NAME} in a header or " +
      "a variable; it is replaced by the environment variable.",
  ],
  words: {
    min: 1,
    max: Infinity,
    missing: "missing name: pawl mcp add files -- npx -y @modelcontextprotocol/server-filesystem .",
  },
  options: mcpAddOptions,
  examples: [
    ["pawl mcp add files -- npx -y @modelcontextprotocol/server-filesystem .", "add a local program"],
    ["pawl mcp add tracker --env TRACKER_TOKEN -- tracker-mcp --read-only", "pass on an environment variable"],
    ["pawl mcp add docs --url https://example.com/mcp", "add a remote server"],
    [
      "pawl mcp add api --url https://example.com/mcp --header 'Authorization: Bearer {env:API_TOKEN}'",
      "add a remote server with a header",
    ],
  ],
  run: mcpAdd,
})
