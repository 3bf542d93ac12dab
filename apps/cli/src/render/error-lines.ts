import { hidePasswords } from "@pawl/config/hide-passwords"
import type { Secrets } from "@pawl/secrets"
import type { Output } from "../output/output.ts"
import { wrap } from "./flow.ts"
import { plainText } from "./plain.ts"
import type { Theme } from "./theme.ts"

export interface ErrorPaper {
  /** Where the lines are to stand. */
  readonly output: Pick<Output, "isTerminal" | "columns">
  readonly theme: Theme
  /** Without it only passwords in URLs are hidden. */
  readonly secrets?: Pick<Secrets, "mask"> | undefined
}

/** What went wrong, and below it what to do next. Secrets are hidden. */
export function errorLines(message: string, { output, theme, secrets }: ErrorPaper, hint?: string): string[] {
  const shown = (text: string) => plainText(hidePasswords(secrets?.mask(text) ?? text))
  const fitted = (text: string) => (output.isTerminal ? wrap(text, output.columns) : text.split("\n"))
  const [first = "", ...rest] = fitted(`pawl: ${shown(message)}`)
  return [
    `${theme.bad("pawl:")}${first.slice("pawl:".length)}`,
    ...rest,
    ...(hint === undefined ? [] : fitted(shown(hint)).map((line) => theme.faint(line))),
  ]
}
