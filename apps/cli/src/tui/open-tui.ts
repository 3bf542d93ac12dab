import { join } from "node:path"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { listenForStop, stopCode, type StopReason } from "../run/stop.ts"
import { createTrustQuestion } from "../run/trust-question.ts"
import type { Runtime } from "@pawl/runtime"
import type { ModelOptions } from "@pawl/runtime/runtime-options"
import type { SessionChoice } from "@pawl/runtime/session/find-session"
import { configPaths } from "@pawl/config/config-paths"
import { hidePasswords } from "@pawl/config/hide-passwords"
import { quoted } from "@pawl/terminal-text/quoted"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import type { OpenedTui, OpeningScreen } from "@pawl/tui"
import type { TrustFlag } from "@pawl/trust/trust-of"
import { requireTerminal } from "./require-terminal.ts"

export interface TuiRequest {
  readonly directory: string
  readonly choice: SessionChoice
  readonly model: ModelOptions
  readonly agent: string | undefined
  readonly storage: string | undefined
  readonly trust: TrustFlag | undefined
  readonly isPure: boolean | undefined
  /** Appends lines instead of drawing a screen. */
  readonly isPlain: boolean | undefined
  readonly isFull: boolean | undefined
}

/** Opens the terminal UI in a directory, and returns when the user leaves it. */
export async function openTui({ choice, isPlain, isFull, ...options }: TuiRequest, host: Host): Promise<ExitCode> {
  const { stdin, stdout, stderr, environment, secrets } = host
  requireTerminal(host, isPlain)
  const stop = listenForStop(host, () => performance.now())
  const hasColors = wantsColour(environment, stdout.isTerminal)
  const paths = configPaths({ env: environment, home: host.home })
  const theme = createTheme(hasColors)
  let runtime: Runtime | undefined

  /** Opens the engine while the UI takes keys already. */
  async function open({ lend, notice }: OpeningScreen): Promise<OpenedTui> {
    const { openRuntime, createRuntimeSource } = await import("./engine.ts")
    const ask = async <T>(lines: readonly string[], answer: () => Promise<T>): Promise<T> => {
      stderr.write(`${lines.join("\n")}\n`)
      return answer()
    }
    const question = createTrustQuestion({ host, theme, stop, view: { ask } })
    const askTrust: typeof question =
      question &&
      (async (request) => {
        const takeBack = lend()
        try {
          return await question(request)
        } finally {
          takeBack()
        }
      })
    const interaction = { askTrust, notice, signal: stop.signal }
    runtime = await openRuntime({ ...options, session: choice, askPolicy: "wait", host, interaction })
    const source = createRuntimeSource({ runtime, mask: (text) => secrets.mask(text), host })
    return { source, sessionID: runtime.session?.id, notices: runtime.notices }
  }

  try {
    const { runTui } = await import("@pawl/tui")
    const { sessionID } = await runTui({
      ...{
        open,
        hasColors,
        environment,
        isPlain,
        isFull,
        input: stdin,
        signal: stop.signal,
        directory: options.directory,
      },
      settingsFile: join(paths.config, "tui.json"),
      mask: (text) => secrets.mask(text),
      dataDirectory: paths.data,
      output: stdout.stream as NodeJS.WriteStream & { readonly fd: number },
      onPrinted: (listener) => host.onPrinted(listener),
    })
    if (sessionID !== undefined) stderr.write(`${theme.faint("go on:")} ${continueCommand(sessionID, options, host)}\n`)
    return stop.signal.aborted ? stopCode(stop.signal.reason as StopReason) : exitCodes.success
  } catch (error) {
    if (stop.signal.aborted) return stopCode(stop.signal.reason as StopReason)
    throw error
  } finally {
    await runtime?.close()
    stop.dispose()
  }
}

/** Returns the command that opens the session again. */
function continueCommand(
  sessionID: string,
  { storage, model }: Pick<TuiRequest, "storage" | "model">,
  host: Host,
): string {
  const options = [
    ["--storage", storage === undefined ? undefined : hidePasswords(storage)],
    ["--script", model.script],
    ["--base-url", model.baseURL],
    ["--api-key-env", model.keyVariable],
    ...(host.repeated ?? []),
  ] as const
  const written = options.flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${quoted(value)}`]))
  return [host.program, "-s", sessionID, ...written].join(" ")
}
