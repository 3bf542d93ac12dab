import type { Recording } from "@pawl/provider-replay"
import { type AgainstOptions, type Compared, runAgainst } from "@pawl/replay/against"
import { maskedStrings } from "@pawl/secrets"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"
import { toolSubject } from "@pawl/terminal-text/tool-subject"
import { sideLines } from "./against-lines.ts"
import { createShow } from "./show.ts"

type AgainstRequest = Pick<AgainstOptions, "model" | "live" | "signal"> & { readonly format: "text" | "json" }

/** Runs the task of a recording with another model, shows the run, and prints the comparison. */
export async function replayAgainst(
  recording: Recording,
  host: Host,
  { format, ...request }: AgainstRequest,
): Promise<ExitCode> {
  const show = createShow(host, { recording, format })
  try {
    const compared = await runAgainst(recording, host, {
      ...request,
      onEvent: (event, rootID) => show.event(event, rootID),
      onEnd: (result) => show.turn(result),
    })
    show.end()
    if (request.signal.aborted) return exitCodes.interrupted
    tell(compared, recording.header.directory ?? "/", host, format)
    return compared.other.end === "answered" ? exitCodes.success : exitCodes.failed
  } finally {
    show.end()
  }
}

function tell(
  { recorded, other, others: parts }: Compared,
  directory: string,
  { stdout, environment, secrets }: Host,
  format: "text" | "json",
): void {
  const others = parts.map((part) => ({ tool: part.tool, subject: toolSubject(part, directory) }))
  if (format === "json") {
    const shown = maskedStrings({ recorded, other, others }, (text) => secrets.mask(text))
    stdout.write(`${JSON.stringify({ type: "against", ...shown })}\n`)
    return
  }
  const theme = createTheme(wantsColour(environment, stdout.isTerminal))
  const columns = stdout.isTerminal ? stdout.columns : 120
  stdout.write(`${secrets.mask(sideLines(recorded, other, { others, columns, theme }).join("\n"))}\n`)
}
