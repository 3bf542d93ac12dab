import type { LongWork } from "@pawl/core/storage"
import type { ExitCode } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { createScreen } from "../output/screen.ts"
import { grouped } from "@pawl/terminal-text/quantity"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { listenForStop, stopCode, type StopReason } from "../run/stop.ts"

/** Milliseconds between two figures: more cannot be read. */
const REFRESH = 100

const GOES_ON = "What was done stays done; the same command goes on."

export interface LongWorkSteps<T> {
  /** Name of the work, such as `copying`. Undefined shows no progress. */
  readonly label: string | undefined
  readonly work: (work: Required<LongWork>) => Promise<T>
  /** Says how it went, once nothing else is shown any more. */
  readonly tell: (result: T) => ExitCode
  /** Message after an interruption. Default: finished parts remain, and the same command continues. */
  readonly stopped?: string
}

/** Does what may take minutes. On a terminal a line shows how far it is; Ctrl-C ends it. */
export async function longWork<T>(
  host: Pick<Host, "environment" | "stdout" | "stderr" | "onSignal" | "exit">,
  { label, work, tell, stopped = GOES_ON }: LongWorkSteps<T>,
): Promise<ExitCode> {
  const { stdout, stderr, environment } = host
  const now = () => performance.now()
  const stop = listenForStop(host, now)
  const theme = createTheme(wantsColour(environment, stderr.isTerminal))
  const screen = createScreen({ stdout, stderr, theme, now })
  const since = now()
  let shown = -Infinity
  const onProgress = (done: number, total: number) => {
    if (label === undefined || now() - shown < REFRESH) return
    shown = now()
    screen.status({
      label: total > 0 ? `${label}: ${grouped(done)} of ${grouped(Math.max(done, total))}` : label,
      since,
    })
  }
  if (label !== undefined) screen.status({ label, since })
  try {
    const result = await work({ signal: stop.signal, onProgress })
    screen.close()
    return tell(result)
  } catch (error) {
    if (!stop.signal.aborted) throw error
    screen.note([theme.faint(`Stopped. ${stopped}`)])
    return stopCode(stop.signal.reason as StopReason)
  } finally {
    screen.close()
    stop.dispose()
  }
}
