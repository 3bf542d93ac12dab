import { sanitizeRecording as sanitize, type SanitizeRequest } from "@pawl/replay/sanitize"
import { type ExitCode, exitCodes } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { reportLines } from "./sanitize-report.ts"

/** Writes a copy of a recording that may be shown to others, and reports what is in it. */
export async function sanitizeRecording(host: Host, request: SanitizeRequest): Promise<ExitCode> {
  const sanitized = await sanitize(host, request)
  host.stderr.write(`${reportLines(sanitized).join("\n")}\n`)
  return sanitized.isAlike ? exitCodes.success : exitCodes.failed
}
