import { resolve } from "node:path"
import type { ServeHost } from "@pawl/plugin-mcp/serve"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { UsageError } from "../../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"
import { serveHTTP } from "../../mcp/serve-http.ts"
import { ownVersion } from "@pawl/runtime/own-version"
import { plainLine } from "@pawl/plain-text"
import { listenForStop } from "../../run/stop.ts"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { modelOptions, storageOptions, trustOptions } from "../../command-options.ts"
import { openRuntime, type Runtime } from "@pawl/runtime/open-runtime"
import type { RuntimeOptions } from "@pawl/runtime/runtime-options"

const mcpServeOptions = {
  ...modelOptions,
  ...storageOptions,
  agent: { value: "<name>", summary: "agent, unless a prompt names another one" },
  ask: {
    value: "<policy>",
    choices: ["deny", "wait"],
    default: "as configured, else deny",
    summary: "if a client cannot ask its user: deny the call, or wait for question_answer",
  },
  dir: {
    value: "<directory>",
    completes: "directories",
    summary: "serve the sessions of this directory (default: this one)",
  },
  http: { summary: "serve several clients over HTTP on this machine instead of stdio" },
  port: { value: "<number>", summary: "port for --http; 0 = a free one (default: 0)" },
  ...trustOptions,
} as const

type Input = CommandInput<typeof mcpServeOptions>

/**
 * Serves the sessions of a directory: over stdin and stdout until stdin ends, or over HTTP on this machine. Messages for the
 * user go to stderr.
 */
async function mcpServe({ options }: Input, host: Host): Promise<ExitCode> {
  const { stdin, stdout, stderr, secrets } = host
  if (options.port !== undefined && !options.http) {
    throw new UsageError("--port requires --http.", "See: pawl mcp serve --help")
  }
  const stop = listenForStop(host, () => performance.now())
  const say = (text: string) => stderr.write(`${secrets.mask(plainLine(text))}\n`)
  const runtimeOptions = runtimeOptionsOf(options, await workDirectory(host, options.dir), host)
  const opened: Promise<Runtime>[] = []
  const watching: (() => void)[] = []
  const open: ServeHost["open"] = async (people) => {
    const opening = openRuntime({
      ...runtimeOptions,
      host,
      interaction: { ...people, notice: say, signal: stop.signal },
    })
    opened.push(opening)
    const runtime = await opening
    const { engine, settings, model, notices } = runtime
    for (const notice of notices) say(notice)
    const unwatch = engine.subscribe((event) => {
      if (event.type === "session.notice") say(event.properties.message)
    })
    watching.push(unwatch)
    runtime.follow()
    return { engine, directory: settings.directory, model, agent: options.agent }
  }
  try {
    const { serveSessions } = await import("@pawl/plugin-mcp/serve")
    const version = ownVersion(host)
    const { signal } = stop
    const served = { version, open }
    if (options.http) await serveHTTP(served, { port: options.port, signal }, host)
    else await serveSessions(served, { input: stdin, output: stdout.stream as NodeJS.WriteStream, signal })
    return exitCodes.success
  } finally {
    // The runtime prints messages of plugins during the close.
    for (const unwatch of watching) unwatch()
    await Promise.all(opened.map(async (opening) => (await opening.catch(() => undefined))?.close()))
    stop.dispose()
  }
}

function runtimeOptionsOf(options: Input["options"], directory: string, host: Host): RuntimeOptions {
  const script = options.script === undefined ? undefined : resolve(host.directory, options.script)
  return {
    directory,
    model: { model: options.model, baseURL: options["base-url"], keyVariable: options["api-key-env"], script },
    agent: options.agent,
    storage: options.storage,
    trust: options.trust,
    askPolicy: options.ask,
  }
}

export const command = defineCommand({
  usage: ["mcp serve [options]"],
  notes: [
    "Offers sessions as tools to another program over stdin and stdout, until stdin closes. Questions go to the client's user if " +
      "the client can ask; otherwise --ask decides.",
    "With --http, pawl serves until Ctrl-C, to clients that send its token. The first start creates the token, shows it, and " +
      "saves it in the data directory.",
  ],
  words: { min: 0, max: 0 },
  options: mcpServeOptions,
  exitCodes: { 0: "the client disconnected" },
  isForPrograms: true,
  examples: [
    ["pawl mcp serve", "use this as the server's command in another program"],
    ["pawl mcp serve --http --port 4319", "serve all clients on this machine"],
    ["pawl mcp serve --dir ~/src/site -m ollama/qwen3-coder --ask wait", "serve one project with one model"],
  ],
  run: mcpServe,
})
