import { UsageError } from "../arguments/usage-error.ts"
import type { Host } from "../host.ts"

/** Throws UsageError if the screen of the terminal UI cannot be drawn here. */
export function requireTerminal({ stdin, stdout }: Host, isPlain: boolean | undefined): void {
  if (!isPlain && (!stdin.isTTY || !stdout.isTerminal || stdout.isDumb)) {
    throw new UsageError("The terminal UI needs a terminal.", 'For other outputs: pawl tui --plain, or pawl run "…"')
  }
}
