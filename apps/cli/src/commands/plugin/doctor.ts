import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { configuredServers } from "@pawl/runtime/mcp/configured-servers"
import { MCP } from "@pawl/runtime/mcp/mcp-servers"
import { readCalls, type RecordedCalls } from "@pawl/runtime/plugins/call-record"
import { type Examined, examinePlugins, isWell } from "@pawl/runtime/examine-plugins"
import { pathOf } from "@pawl/runtime/plugins/plugin-file"
import { examinedLines, serversLines, trustOf } from "../../render/examined-lines.ts"
import { plainLine } from "@pawl/plain-text"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { readDefinedSettings } from "@pawl/runtime/config/definitions"
import { formattedDirectoryOptions } from "../../command-options.ts"
import { type RequestedPlugin, requestedPlugins } from "@pawl/runtime/plugins/requested-plugins"

/** Starts the plugins of a directory and reports on them. */
async function pluginDoctor(
  { options, words: [name] }: CommandInput<typeof formattedDirectoryOptions>,
  host: Host,
): Promise<ExitCode> {
  const { stdout, stderr, environment, secrets } = host
  const directory = await workDirectory(host, options.dir)
  const settings = await readDefinedSettings(host, directory)
  const { plugins, problems } = requestedPlugins(settings, host)
  const recorded = await readCalls(settings.dataDirectory)
  const examined = await examinePlugins(chosen(plugins, name, directory), settings, host)
  const { servers } = name === undefined ? await configuredServers(settings, host) : { servers: [] }
  const used = { servers: servers.map((server) => server.name), in_runs: recorded.get(MCP) ?? {} }
  if (options.format === "json") {
    const facts: object[] = examined.map((each) => factsOf(each, recorded))
    if (servers.length > 0) facts.push({ plugin: MCP, kind: "servers", ok: true, ...used })
    for (const each of facts) stdout.write(`${secrets.mask(JSON.stringify(each))}\n`)
  } else {
    const theme = createTheme(wantsColour(environment, stdout.isTerminal))
    const layout = { columns: stdout.isTerminal ? stdout.columns : 200, theme, directory, home: host.home, recorded }
    const lines = examined.flatMap((each) => examinedLines(each, layout))
    if (servers.length > 0) lines.push(...serversLines(used.servers, used.in_runs, layout))
    for (const line of lines) stdout.write(`${secrets.mask(line)}\n`)
    if (examined.length === 0) stderr.write("No plugins. See: pawl plugin list\n")
  }
  for (const notice of [...settings.trust.notices, ...problems]) stderr.write(`${secrets.mask(plainLine(notice))}\n`)
  return examined.every(isWell) && problems.length === 0 ? exitCodes.success : exitCodes.failed
}

function chosen(
  plugins: readonly RequestedPlugin[],
  name: string | undefined,
  directory: string,
): readonly RequestedPlugin[] {
  if (name === undefined) return plugins
  const path = pathOf(name, directory)
  const found = plugins.filter(
    ({ spec, written }) => [spec, written].includes(name) || spec === path || isPackage(spec, name),
  )
  if (found.length > 0) return found
  const known = plugins.map(({ written }) => written).join(", ") || "none"
  throw new UsageError(`unknown plugin "${name}". Known: ${known}.`, "List untrusted plugins too: pawl plugin list")
}

function isPackage(spec: string, name: string): boolean {
  return spec.startsWith(`${name}@`)
}

function factsOf(examined: Examined, recorded: ReadonlyMap<string, RecordedCalls>) {
  const { member, took, problems, notices, reports } = examined
  const { wanted, origin } = member
  return {
    ...{ plugin: wanted.written, kind: wanted.kind, source: wanted.source, project: wanted.isProject },
    trust: trustOf(wanted),
    ...{ version: origin?.version, entry: origin?.entry, ok: isWell(examined) },
    ...{ load_ms: rounded(took.load), start_ms: rounded(took.start), problems, notices },
    plugins: reports.map(({ id, hooks, tools, calls, problem }) => {
      return { id, hooks, tools, calls, in_runs: recorded.get(id) ?? {}, problem }
    }),
  }
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}

export const command = defineCommand({
  usage: ["plugin doctor [options] [name]"],
  notes: [
    "Starts the plugins of this directory without a session. Shows their hooks, tools and commands, how long each one takes to " +
      "start, and what fails. Plugins of an untrusted project are skipped.",
  ],
  words: { min: 0, max: 1 },
  options: formattedDirectoryOptions,
  exitCodes: { 0: "every plugin works", 1: "at least one plugin fails" },
  examples: [
    ["pawl plugin doctor", "check all plugins"],
    ["pawl plugin doctor acme --format json", "check one plugin and print JSON"],
  ],
  run: pluginDoctor,
})
