import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { listenForStop, stopCode, type StopReason } from "../run/stop.ts"
import { createTrustQuestion } from "../run/trust-question.ts"
import { openRuntime } from "@pawl/runtime/open-runtime"
import type { ModelOptions } from "@pawl/runtime/runtime-options"
import type { SessionChoice } from "@pawl/runtime/session/find-session"
import { hidePasswords } from "@pawl/config/hide-passwords"
import { quoted } from "@pawl/terminal-text/quoted"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
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
}

/** Opens the terminal UI in a directory, and returns when the user leaves it. */
export async function openTui({ choice, isPlain, ...options }: TuiRequest, host: Host): Promise<ExitCode> {
  const { stdin, stdout, stderr, environment, secrets } = host
  requireTerminal(host, isPlain)
  const stop = listenForStop(host, () => performance.now())
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const ask = async <T>(lines: readonly string[], answer: () => Promise<T>): Promise<T> => {
    stderr.write(`${lines.join("\n")}\n`)
    return answer()
  }
  const askTrust = createTrustQuestion({ host, theme, stop, view: { ask } })
  const late: ((text: string) => void)[] = []
  const interaction = { askTrust, notice: (text: string) => late.at(-1)?.(text), signal: stop.signal }
  try {
    // The UI is loaded while the engine opens.
    const loading = import("@pawl/tui")
    const opening = openRuntime({ ...options, session: choice, askPolicy: "wait", host, interaction })
    await using runtime = await opening
    if (stop.signal.aborted) return stopCode(stop.signal.reason as StopReason)
    const { createRuntimeSource, runTui } = await loading
    const source = createRuntimeSource({ runtime, mask: (text) => secrets.mask(text) })
    const { sessionID } = await runTui({
      ...{ source, theme, environment, input: stdin, signal: stop.signal, notices: runtime.notices },
      isPlain,
      sessionID: runtime.session?.id,
      output: stdout.stream as NodeJS.WriteStream & { readonly fd: number },
      onPrinted: (listener) => host.onPrinted(listener),
    })
    if (sessionID !== undefined) stderr.write(`${theme.faint("go on:")} ${continueCommand(sessionID, options, host)}\n`)
    return stop.signal.aborted ? stopCode(stop.signal.reason as StopReason) : exitCodes.success
  } finally {
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
