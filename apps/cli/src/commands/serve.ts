import { readFile, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { writeWhole } from "@pawl/files/durable-file"
import type { ListenTarget } from "@pawl/loopback-http"
import { plainLine } from "@pawl/plain-text"
import { readDataLocations } from "@pawl/runtime/config/settings"
import { ownVersion } from "@pawl/runtime/own-version"
import type { RuntimeOptions } from "@pawl/runtime/runtime-options"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { type CommandInput, defineCommand } from "../arguments/command.ts"
import { portNumber } from "../arguments/port-number.ts"
import { UsageError } from "../arguments/usage-error.ts"
import { modelOptions, storageOptions, trustOptions } from "../command-options.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { listenForStop } from "../run/stop.ts"

const serveOptions = {
  port: { value: "<number>", summary: "port of 127.0.0.1; 0 = a free one (default: 0)" },
  socket: { value: "<path>", completes: "files", summary: "listen on a unix socket instead of a port" },
  cors: { value: "<origin>", multiple: true, summary: "serve web pages of this origin, such as https://app.example" },
  dir: {
    value: "<directory>",
    completes: "directories",
    summary: "directory of requests that name none (default: this one)",
  },
  ...modelOptions,
  ...storageOptions,
  ask: {
    value: "<policy>",
    choices: ["deny", "wait"],
    default: "wait",
    summary: "wait until a client answers a question, or deny the call",
  },
  ...trustOptions,
} as const

type Input = CommandInput<typeof serveOptions>

/** Serves OpenCode's HTTP interface until a signal ends it. */
async function serve({ options }: Input, host: Host): Promise<ExitCode> {
  const target = targetOf(options, host)
  const origins = (options.cors ?? []).map(originOf)
  const directory = await workDirectory(host, options.dir)
  const stop = listenForStop(host, () => performance.now())
  const say = (text: string) => host.stderr.write(`${host.secrets.mask(plainLine(text))}\n`)
  try {
    const [{ createServer, listen }, { readToken }, { openServedDirectory }] = await Promise.all([
      import("@pawl/server"),
      import("@pawl/loopback-http"),
      import("@pawl/runtime/served-directory"),
    ])
    const { dataDirectory } = await readDataLocations(host)
    const tokenPath = join(dataDirectory, "serve-token")
    const { token } = await readToken(tokenPath)
    host.secrets.add(token, "serve")
    let serverURL: URL | undefined
    const served: Host = { ...host }
    Object.defineProperty(served, "serverURL", { get: () => serverURL })
    const fixed = runtimeOptionsOf(options, host)
    const server = createServer({
      directory,
      version: ownVersion(host),
      positionsDirectory: join(dataDirectory, "serve-positions"),
      open: (path) =>
        openServedDirectory({
          ...fixed,
          // The flag is about the directory that the user has named. Others are trusted on their own.
          ...(path === directory ? {} : { trust: undefined }),
          directory: path,
          host: served,
          interaction: { notice: (text) => say(path === directory ? text : `${path}: ${text}`), signal: stop.signal },
        }),
    })
    const announced = join(dataDirectory, "serve.json")
    let announcing: Promise<void> | undefined
    /** A client that has read the address on stderr finds the file. */
    const announce = async (address: string) => {
      const text = `${JSON.stringify({ address, pid: process.pid, directory, tokenPath })}\n`
      await writeWhole(announced, text).catch((error: Error) => {
        say(`Local clients cannot find this server: ${announced} cannot be written: ${error.message}`)
      })
      say(`Serving ${directory} at ${address} until Ctrl-C.`)
      if ("port" in target) {
        say(`The token is in ${tokenPath}. Connect OpenCode's terminal UI with:`)
        say(`  opencode attach ${address} -p "$(cat ${tokenPath})"`)
      } else say("Only your user can connect. No token is needed.")
    }
    // A model that the user names is for every directory. One that cannot be used must not be announced.
    const { model } = options
    if (model !== undefined) {
      await server.open().catch(async (error: unknown) => {
        await server.close()
        throw aboutModel(error, model)
      })
    }
    await listen(server, {
      ...{ target, token, origins, signal: stop.signal },
      onListening(address) {
        if (URL.canParse(address)) serverURL = new URL(address)
        announcing = announce(address)
      },
    })
    await announcing
    // Another server may have announced itself since.
    const { pid } = JSON.parse(await readFile(announced, "utf8").catch(() => "{}")) as { pid?: number }
    if (pid === process.pid) await rm(announced, { force: true })
    return exitCodes.success
  } finally {
    stop.dispose()
  }
}

/** Adds the model's name to an error about a part of it. */
function aboutModel(error: unknown, model: string): unknown {
  const parts = [model.split("/", 1)[0] ?? "", model.slice(model.indexOf("/") + 1)]
  if (!(error instanceof Error) || error.message.includes(model)) return error
  if (parts.some((part) => error.message.includes(`"${part}"`))) {
    error.message = `The model "${model}" cannot be used. ${error.message}`
  }
  return error
}

function targetOf({ port, socket }: Input["options"], host: Host): ListenTarget {
  if (socket === undefined) return { port: port === undefined ? 0 : portNumber(port, "pawl serve --help") }
  if (port !== undefined) throw new UsageError("--port and --socket exclude each other.", "See: pawl serve --help")
  return { socket: resolve(host.directory, socket) }
}

/** Web pages send their origin in this form. A wildcard would let every page in. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && url.origin === text.replace(/\/$/, "") && /^https?:$/.test(url.protocol)) return url.origin
  throw new UsageError(
    `invalid value "${text}" for --cors: expected an origin, such as https://app.example`,
    "See: pawl serve --help",
  )
}

function runtimeOptionsOf(options: Input["options"], host: Host): Omit<RuntimeOptions, "directory"> {
  const script = options.script === undefined ? undefined : resolve(host.directory, options.script)
  return {
    model: { model: options.model, baseURL: options["base-url"], keyVariable: options["api-key-env"], script },
    storage: options.storage,
    trust: options.trust,
    askPolicy: options.ask,
  }
}

export const command = defineCommand({
  usage: ["serve [options]"],
  notes: [
    "Serves sessions over OpenCode's HTTP interface to programs of your user: OpenCode's terminal UI, its SDK, editors and scripts. " +
      "A request may name any directory, and each directory is trusted on its own.",
    "Programs send the token as Bearer, or as the password of Basic. The first start creates it, in a file that only you can read.",
  ],
  words: { min: 0, max: 0 },
  options: serveOptions,
  exitCodes: { 0: "stopped by a signal" },
  isForPrograms: true,
  examples: [
    ["pawl serve", "serve this directory on a free port"],
    ["pawl serve --port 4096", "use OpenCode's usual port"],
    ["pawl serve --socket ~/.pawl.sock", "listen on a unix socket, without a token"],
  ],
  run: serve,
})
