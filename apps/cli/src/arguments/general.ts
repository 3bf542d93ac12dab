import { UsageError } from "./usage-error.ts"
import type { OptionSpec, OptionSpecs, OptionValues } from "./command.ts"

/** What every command takes, wherever it stands on the line. */
export const generalOptions = {
  json: { summary: "print for programs: the same as --format json" },
  quiet: { short: "q", summary: "print results and errors alone" },
  verbose: { summary: "say on stderr what is loaded, decided and done, and how long it took" },
  config: {
    value: "<file>",
    summary: "one more configuration file, as PAWL_CONFIG: above your own, below the project's",
  },
  color: { value: "<when>", choices: ["auto", "always", "never"], summary: "colours; auto: on a terminal" },
  "log-level": {
    value: "<level>",
    choices: ["debug", "info", "warn", "error", "off"],
    summary: "what is written to the log file; info unless told",
  },
  "print-logs": { summary: "print the log to stderr too, one JSON object a line" },
} as const satisfies OptionSpecs

export type General = OptionValues<typeof generalOptions>

/** The line with the general options that stand before or in the command's name behind it. */
export function nameFirst(given: readonly string[]): readonly string[] {
  const words: string[] = []
  const moved: string[] = []
  let at = 0
  while (at < given.length && words.length < 2) {
    const word = given[at] ?? ""
    if (!word.startsWith("-")) words.push(word)
    else {
      const option = generalNamed(word)
      if (!option) break
      moved.push(word)
      const next = given[at + 1]
      if (option.value !== undefined && !word.includes("=") && next !== undefined) {
        moved.push(next)
        at++
      }
    }
    at++
  }
  return [...words, ...moved, ...given.slice(at)]
}

function generalNamed(word: string): OptionSpec | undefined {
  const written = word.split("=")[0] ?? ""
  const all: readonly (readonly [string, OptionSpec])[] = Object.entries(generalOptions)
  return all.find(([name, { short }]) => written === `--${name}` || written === `-${short}`)?.[1]
}

/** The command's own `--format`, where `--json` stands for it. Throws UsageError where the two say different things. */
export function formatOf(options: object, { json }: General): { readonly format?: "json" } {
  if (!json) return {}
  if ("format" in options && options.format !== "json") {
    throw new UsageError(`--json and --format ${String(options.format)} are two ways to print. Give one of them.`)
  }
  return { format: "json" }
}
