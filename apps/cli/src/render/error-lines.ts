import { hidePasswords } from "@pawl/config/hide-passwords"
import type { Secrets } from "@pawl/secrets"
import type { Output } from "../output/output.ts"
import { wrap } from "@pawl/terminal-text/flow"
import { plainText } from "@pawl/plain-text"
import type { Theme } from "@pawl/terminal-text/theme"

export interface ErrorLayout {
  /** Output that the lines are for. */
  readonly output: Pick<Output, "isTerminal" | "columns">
  readonly theme: Theme
  /** Default: only passwords in URLs are hidden. */
  readonly secrets?: Pick<Secrets, "mask"> | undefined
}

/** Renders an error, with a hint below it. Secrets are masked. */
export function errorLines(message: string, { output, theme, secrets }: ErrorLayout, hint?: string): string[] {
  const shown = (text: string) => plainText(hidePasswords(secrets?.mask(text) ?? text))
  const fitted = (text: string) => (output.isTerminal ? wrap(text, output.columns) : text.split("\n"))
  const [first = "", ...rest] = fitted(`pawl: ${shown(message)}`)
  return [
    `${theme.bad("pawl:")}${first.slice("pawl:".length)}`,
    ...rest,
    ...(hint === undefined ? [] : fitted(shown(hint)).map((line) => theme.faint(line))),
  ]
}
