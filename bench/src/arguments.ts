import { parseArgs } from "node:util"
import type { Benchmark } from "./benchmarks/benchmark.ts"

export interface Arguments {
  /** Always in the order of the table. */
  readonly chosen: readonly Benchmark[]
  readonly json: boolean
  readonly check: boolean
  readonly quick: boolean
  readonly full: boolean
  readonly help: boolean
}

/** Parses the arguments. Without names all benchmarks are chosen. Throws with a message for the user. */
export function readArguments(args: readonly string[], all: readonly Benchmark[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      full: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  })
  const known = all.map(({ name }) => name)
  const unknown = positionals.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`There is no benchmark "${unknown}". There are: ${known.join(", ")}.`)
  if (values.quick && values.full) throw new Error("Choose --quick or --full, not both.")
  const chosen = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  return { ...values, chosen }
}

export function usage(all: readonly Benchmark[]): string {
  const longest = Math.max(...all.map(({ name }) => name.length))
  return `Usage: pnpm bench [name…] [--json] [--check] [--quick | --full]

Measures pawl against a floor or against itself on this machine, without a network.

${all.map(({ name, summary }) => `  ${name.padEnd(longest)}  ${summary}`).join("\n")}

  --json   print every measured value as JSON instead of the table
  --check  exit with 1 when a goal is missed
  --quick  fewer and shorter runs: to see that all of it works, not to quote
  --full   more and larger runs, where a benchmark has them
`
}
