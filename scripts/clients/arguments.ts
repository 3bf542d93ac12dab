import { parseArgs } from "node:util"
import { type Feature, features } from "./features.ts"

export interface Arguments {
  readonly cells: readonly CellName[]
  /** Path of the JSON file. */
  readonly json: string | undefined
  /** Directory for the packages. */
  readonly packages: string | undefined
  readonly help: boolean
}

/** Names one cell. Without a feature, names all cells of a client. */
export interface CellName {
  readonly client: string
  readonly feature: Feature | undefined
}

export const usage = (
  clients: readonly string[],
) => `Usage: pnpm clients [--only client[:feature]]… [--json file] [--packages directory]

Installs clients of OpenCode 1.x from npm, and plays each feature of each with pawl serve: a scripted
model answers. Each cell has a server, a home and a project of its own.

It runs the code of those packages on this machine. It needs the npm registry, and no other network.

  --only client          the cells of that client; may be repeated
  --only client:feature  that cell
  --json file            also write the outcome of each cell to a file
  --packages directory   install the packages there, and keep them for the next time

Clients: ${clients.join(", ")}.
Features: ${features.join(", ")}.

Exit codes: 0 all work, 1 some do not, 2 wrong arguments or no registry, 130 Ctrl-C.
`

/** Throws with a sentence for the user. */
export function readArguments(args: readonly string[], clients: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string", multiple: true, default: [] },
      json: { type: "string" },
      packages: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  })
  const chosen = values.only.length === 0 ? clients : values.only
  const cells = chosen.map((name) => cellName(name, clients))
  return { cells, json: values.json, packages: values.packages, help: values.help }
}

function cellName(text: string, clients: readonly string[]): CellName {
  const [client = "", name] = text.split(":")
  if (!clients.includes(client)) throw new Error(`unknown client "${client}". Clients: ${clients.join(", ")}.`)
  if (name === undefined) return { client, feature: undefined }
  const feature = features.find((each) => each === name)
  if (feature === undefined) throw new Error(`unknown feature "${name}". Features: ${features.join(", ")}.`)
  return { client, feature }
}
