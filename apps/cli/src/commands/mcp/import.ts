import { readFile } from "node:fs/promises"
import { homedir } from "node:os"
import { resolve } from "node:path"
import type { McpServerConfig } from "@pawl/config"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { serversFile, writeServer } from "@pawl/runtime/mcp/server-file"
import { plainSecrets } from "@pawl/runtime/mcp/plain-secrets"
import { withReferences } from "@pawl/runtime/mcp/with-references"
import { plainLine } from "@pawl/plain-text"

const mcpImportOptions = { project: { summary: "use the project's pawl.jsonc instead of your own" } } as const

/** Writes servers of another program's file to pawl's own. Reports each server that cannot be imported. */
async function mcpImport({ options, words }: CommandInput<typeof mcpImportOptions>, host: Host): Promise<ExitCode> {
  const { stdout, stderr, directory, home = homedir() } = host
  const [argument = "", ...names] = words
  const path = resolve(directory, argument.replace(/^~(?=\/)/, home))
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error
    throw new UsageError(`There is no file ${path}.`, "Give the file in which another program lists its MCP servers.")
  })
  const { importMcpJson } = await import("@pawl/plugin-mcp")
  const { servers, problems } = importMcpJson(text, ANY_ENVIRONMENT)
  const all = Object.entries(servers)
  const unknown = names.find((name) => !(name in servers))
  if (unknown !== undefined) {
    throw new UsageError(
      `${path} has no server "${unknown}". Known: ${all.map(([name]) => name).join(", ") || "none"}.`,
    )
  }
  const wanted = names.length === 0 ? all : all.filter(([name]) => names.includes(name))
  const file = await serversFile(host, options.project === true)
  const say = (line: string) => stderr.write(`${plainLine(line)}\n`)
  let failed = names.length === 0 ? problems.length : 0
  if (names.length === 0) for (const problem of problems) say(`${path}: ${problem}`)
  for (const [name, { written }] of wanted) {
    try {
      const server = withReferences(written) as McpServerConfig
      await writeServer(file, name, server)
      stdout.write(`${plainLine(`Added "${name}" to ${file}.`)}\n`)
      for (const field of plainSecrets(server))
        say(`${name}: ${field} holds what looks like a secret. Better: {env:NAME}`)
    } catch (error) {
      failed++
      say(`"${name}" is left out: ${(error as Error).message}`)
    }
  }
  if (wanted.length === 0 && failed === 0) say(`${path} has no servers.`)
  return failed === 0 ? exitCodes.success : exitCodes.failed
}

/** An environment in which every variable is set: variables are written as references, not replaced. */
const ANY_ENVIRONMENT = new Proxy<Readonly<Record<string, string>>>({}, { get: () => "set" })

export const command = defineCommand({
  usage: ["mcp import [options] <file> [name …]"],
  notes: [
    'The file has the key "mcpServers": a .mcp.json, or the configuration of another program. Without names, all servers are ' +
      "imported. A server that you already have is not changed.",
  ],
  words: { min: 1, max: Infinity, completes: "files", missing: "missing file: pawl mcp import .mcp.json" },
  options: mcpImportOptions,
  examples: [["pawl mcp import ~/claude_desktop_config.json", "import all servers into your configuration"]],
  run: mcpImport,
})
