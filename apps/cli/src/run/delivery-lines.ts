import type { Delivered } from "@pawl/runtime/run/deliveries"
import type { QueuedPrompt } from "./run-view.ts"
import { wrap } from "@pawl/terminal-text/flow"
import { plainText } from "@pawl/plain-text"
import type { Theme } from "@pawl/terminal-text/theme"

const WAYS: Readonly<Record<QueuedPrompt["mode"], string>> = {
  steer: "at its next step",
  queue: "when its turn is over",
  interrupt: "at once, in place of its step",
}

/** Renders a prompt that was delivered to the running session. */
export function deliveredLines(
  { part, mode }: Delivered,
  { columns, theme }: { readonly columns: number; readonly theme: Theme },
): string[] {
  const [first = "", ...rest] = wrap(plainText(part.text).trimEnd(), columns - 2)
  return [
    `${theme.accent(">")} ${theme.strong(first)}`,
    ...rest.map((line) => `  ${theme.strong(line)}`),
    theme.faint(`  came from elsewhere (${mode})`),
  ]
}

/** Renders the notice that a prompt was queued for the process that runs the session. */
export function queuedLine({ mode, messageID, sessionID }: QueuedPrompt): string {
  return `Queued as ${messageID}: the process that runs session ${sessionID} reads it ${WAYS[mode]}.`
}
