import { mkdir, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { suggestion } from "@pawl/config/suggestion"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { type AnswerFile, answerFiles, answerText } from "../../mcp/answer-lines.ts"
import { askHere } from "../../mcp/ask-here.ts"
import { serverEntries } from "@pawl/runtime/mcp/open-mcp"
import { toolArguments } from "../../mcp/tool-arguments.ts"
import { findServer } from "@pawl/runtime/mcp/find-server"
import { withServers } from "../../mcp/with-servers.ts"
import { plainLine } from "@pawl/plain-text"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { directoryOptions, format } from "../../command-options.ts"

const mcpCallOptions = {
  save: {
    value: "<directory>",
    completes: "directories",
    summary: "directory for images and other files of the answer",
  },
  ...directoryOptions,
  ...format,
} as const

/** Calls a tool for the user, without permission checks. A server that is not allowed is not called. */
function mcpCall({ options, words }: CommandInput<typeof mcpCallOptions>, host: Host): Promise<ExitCode> {
  const { stdout, stderr, secrets, environment } = host
  const [name = "", wanted = "", ...rest] = words
  return withServers(options, host, async (opened, stop) => {
    const server = findServer(opened, name)
    const { control } = await opened.mcp({ servers: serverEntries([server]) })
    const { signal } = stop
    await control.connect(name, signal)
    const tools = await control.tools(name, signal)
    const found = tools.find((each) => each.tool.name === wanted || each.name === wanted)
    if (!found)
      throw unknownTool(
        wanted,
        name,
        tools.map(({ tool }) => tool.name),
      )
    const args = toolArguments(found.tool, rest)
    const theme = createTheme(wantsColour(environment, stderr.isTerminal))
    const ask = askHere(host, stop)
    const answer = await control.call(name, found.tool.name, args, {
      signal,
      ...(ask ? { ask } : {}),
      progress({ title, metadata }) {
        const { progress, total } = (metadata ?? {}) as { readonly progress?: number; readonly total?: number }
        const counted = progress === undefined ? "" : ` ${progress}${total === undefined ? "" : ` of ${total}`}`
        stderr.write(`${theme.faint(plainLine(secrets.mask(`…${counted} ${title ?? ""}`)))}\n`)
      },
    })
    const files = answerFiles(answer)
    const saved = options.save === undefined ? [] : await save(files, resolve(host.directory, options.save))
    const isError = answer["isError"] === true
    if (options.format === "json") stdout.write(`${JSON.stringify(answer)}\n`)
    else (isError ? stderr : stdout).write(`${answerText(answer) || "(no output)"}\n`)
    for (const path of saved) stderr.write(`saved ${plainLine(path)}\n`)
    return isError ? exitCodes.failed : exitCodes.success
  })
}

function unknownTool(wanted: string, server: string, known: readonly string[]): UsageError {
  const meant = suggestion(wanted, known)
  const hint = meant === undefined ? `Known: ${known.join(", ") || "none"}.` : `Did you mean ${meant}?`
  return new UsageError(
    plainLine(`"${server}" offers no tool "${wanted}". ${hint}`),
    `List its tools: pawl mcp list ${server}`,
  )
}

async function save(files: readonly AnswerFile[], directory: string): Promise<readonly string[]> {
  await mkdir(directory, { recursive: true })
  return Promise.all(
    files.map(async ({ filename, content }) => {
      const path = join(directory, filename)
      await writeFile(path, content, { flag: "wx" })
      return path
    }),
  )
}

export const command = defineCommand({
  usage: ["mcp call [options] <name> <tool> [key=value …]", "mcp call [options] <name> <tool> '<json>'"],
  notes: [
    "Calls a tool as the model would, and prints the answer. Permissions are not checked, because you make the call. Questions " +
      "of the server are asked here.",
  ],
  words: { min: 2, max: Infinity, missing: "missing server or tool; list tools: pawl mcp list <name>" },
  options: mcpCallOptions,
  exitCodes: { 0: "the tool answered", 1: "the tool failed or could not be called" },
  examples: [
    ["pawl mcp call files list_directory path=src", "write text and numbers plainly, lists as JSON"],
    ['pawl mcp call db query \'{"sql": "select 1"}\' --format json', "print the whole answer as JSON"],
  ],
  run: mcpCall,
})
