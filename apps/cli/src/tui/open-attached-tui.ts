import { join } from "node:path"
import type { Client } from "@pawl/client"
import type { SessionChoice } from "@pawl/runtime/session/find-session"
import { configPaths } from "@pawl/config/config-paths"
import { quoted } from "@pawl/terminal-text/quoted"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import type { OpenedTui, Source } from "@pawl/tui"
import { UsageError } from "../arguments/usage-error.ts"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { attach, type AttachOptions } from "../run/attach.ts"
import { listenForStop, stopCode, type StopReason } from "../run/stop.ts"
import { requireTerminal } from "./require-terminal.ts"

export interface AttachedTuiRequest extends AttachOptions {
  /** Absolute. */
  readonly directory: string
  readonly choice: SessionChoice
  readonly model?: { readonly providerID: string; readonly modelID: string } | undefined
  readonly agent: string | undefined
  readonly variant: string | undefined
  /** Appends lines instead of drawing a screen. */
  readonly isPlain: boolean | undefined
  readonly isFull: boolean | undefined
}

/** Opens the terminal UI over a server, and returns when the user leaves it. Runs continue on the server. */
export async function openAttachedTui(request: AttachedTuiRequest, host: Host): Promise<ExitCode> {
  const { stdin, stdout, stderr, environment, secrets } = host
  const { directory, agent, model, variant, isPlain, isFull } = request
  requireTerminal(host, isPlain)
  const stop = listenForStop(host, () => performance.now())
  const hasColors = wantsColour(environment, stdout.isTerminal)
  const theme = createTheme(hasColors)
  const paths = configPaths({ env: environment, home: host.home })
  const mask = (text: string) => secrets.mask(text)
  const opened: { source?: Source; address?: string } = {}

  async function open(): Promise<OpenedTui> {
    const [client, { createServerSource }] = await Promise.all([
      attach(request, host),
      import("@pawl/tui/server-source"),
    ])
    const { url, socket } = client.options as { readonly url?: string; readonly socket?: string }
    const address = url ?? socket ?? ""
    const source = await createServerSource({ client, directory, mask, agent, model, variant })
    Object.assign(opened, { source, address })
    const notices = [`Sessions of the server at ${address}. Runs continue there when you leave.`]
    return { source, sessionID: await chosenSession(request, client), notices }
  }

  try {
    const { runTui } = await import("@pawl/tui")
    const { sessionID } = await runTui({
      ...{ open, hasColors, environment, isPlain, isFull, input: stdin, signal: stop.signal, directory, mask },
      settingsFile: join(paths.config, "tui.json"),
      dataDirectory: paths.data,
      output: stdout.stream as NodeJS.WriteStream & { readonly fd: number },
      onPrinted: (listener) => host.onPrinted(listener),
    })
    if (sessionID !== undefined) {
      const again = [
        host.program,
        `--attach=${quoted(opened.address ?? "")}`,
        "-s",
        sessionID,
        ...tokenOption(request),
      ].join(" ")
      stderr.write(`${theme.faint("go on:")} ${again}\n`)
    }
    return stop.signal.aborted ? stopCode(stop.signal.reason as StopReason) : exitCodes.success
  } finally {
    await opened.source?.close()
    stop.dispose()
  }
}

function tokenOption({ tokenFile }: AttachOptions): string[] {
  return tokenFile === undefined ? [] : ["--token-file", quoted(tokenFile)]
}

/** Returns the id of the session to continue. Undefined for a new one. */
async function chosenSession({ choice, directory }: AttachedTuiRequest, client: Client): Promise<string | undefined> {
  if (choice.type === "id") return choice.id
  if (choice.type === "new") return undefined
  const [newest] = await client.call("session.list", { query: { roots: "true", limit: 1 } }, { directory })
  if (newest) return newest.id
  throw new UsageError(`The server has no session of ${directory}.`, "Begin one: pawl --attach")
}
