import type { McpControl } from "@pawl/plugin-mcp"
import type { Host } from "../host.ts"
import { createTheme, wantsColour } from "@pawl/terminal-text/theme"

export interface MeetOptions {
  /** Milliseconds. */
  readonly timeout: number
  readonly signal: AbortSignal
}

/** Connects the servers concurrently and shows at a terminal how many are left. Errors are in the servers' status. */
export async function connectServers(
  control: McpControl,
  names: readonly string[],
  { timeout, signal }: MeetOptions,
  { stderr, environment }: Pick<Host, "stderr" | "environment">,
): Promise<void> {
  const theme = createTheme(wantsColour(environment, stderr.isTerminal))
  const ended = AbortSignal.any([signal, AbortSignal.timeout(timeout)])
  const left = new Set(names)
  const tell = () => {
    if (stderr.isTerminal)
      stderr.write(left.size === 0 ? CLEAR : `${CLEAR}${theme.faint(`connecting: ${left.size} left`)}`)
  }
  tell()
  await Promise.all(
    names.map(async (name) => {
      await control.connect(name, ended).catch(() => undefined)
      left.delete(name)
      tell()
    }),
  )
  if (stderr.isTerminal) stderr.write(CLEAR)
  signal.throwIfAborted()
}

const CLEAR = "\r\u001B[2K"
