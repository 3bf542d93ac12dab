import { UsageError } from "./usage-error.ts"
import type { OptionSpec, OptionSpecs, OptionValues } from "./command.ts"

/** Options that every command takes, before or after its name. */
export const generalOptions = {
  json: { summary: "print JSON: the same as --format json" },
  quiet: { short: "q", summary: "print only results and errors" },
  verbose: { summary: "report each step and its duration on stderr" },
  config: {
    value: "<file>",
    completes: "files",
    summary: "read one more configuration file; overrides yours, not the project's",
  },
  color: {
    value: "<when>",
    choices: ["auto", "always", "never"],
    default: "auto, on a terminal",
    summary: "use colours",
  },
  "log-level": {
    value: "<level>",
    choices: ["debug", "info", "warn", "error", "off"],
    default: "info",
    summary: "level of the log file",
  },
  "print-logs": { summary: "print the log to stderr too, one JSON object per line" },
} as const satisfies OptionSpecs

export type General = OptionValues<typeof generalOptions>

/** Moves general options that precede or interrupt the command's name behind the name. */
export function nameFirst(args: readonly string[]): readonly string[] {
  const words: string[] = []
  const moved: string[] = []
  let at = 0
  while (at < args.length && words.length < 2) {
    const word = args[at] ?? ""
    if (!word.startsWith("-")) words.push(word)
    else {
      const option = generalNamed(word)
      if (!option) break
      moved.push(word)
      const next = args[at + 1]
      if (option.value !== undefined && !word.includes("=") && next !== undefined) {
        moved.push(next)
        at++
      }
    }
    at++
  }
  return [...words, ...moved, ...args.slice(at)]
}

function generalNamed(word: string): OptionSpec | undefined {
  const written = word.split("=")[0] ?? ""
  const all: readonly (readonly [string, OptionSpec])[] = Object.entries(generalOptions)
  return all.find(([name, { short }]) => written === `--${name}` || written === `-${short}`)?.[1]
}

/** Adds `--format json` if `--json` was passed. Throws UsageError if `--format` contradicts it. */
export function withFormat<Options extends object>(options: Options, { json }: General): Options {
  if (!json) return options
  if ("format" in options && options.format !== "json") {
    throw new UsageError(`--json and --format ${String(options.format)} cannot be used together`)
  }
  return { ...options, format: "json" }
}
