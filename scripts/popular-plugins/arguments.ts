import { parseArgs } from "node:util"

export interface Arguments {
  /** Specs of npm. */
  readonly chosen: readonly string[]
  readonly json: boolean
  readonly help: boolean
}

export const USAGE = `Usage: pnpm popular-plugins [--only name]… [--json]

Installs the most downloaded plugins for OpenCode from npm, each for a user of its own, and takes
one turn with each in pawl. A model that plays a script reads a file and answers.

It runs the code of those plugins on this machine. It needs the npm registry, and no other network.

  --only name  that package instead of all, such as opencode-pty or opencode-pty@0.1.3; may be repeated
  --json       print a JSON object for each instead of the table

Exit codes: 0 all work, 1 some do not, 2 wrong arguments or no registry, 130 Ctrl-C.
`

/** Throws with a sentence for the user. */
export function readArguments(given: readonly string[], names: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...given],
    options: {
      only: { type: "string", multiple: true, default: [] },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  })
  const { only, json, help } = values
  return { chosen: only.length === 0 ? names : [...new Set(only)], json, help }
}
