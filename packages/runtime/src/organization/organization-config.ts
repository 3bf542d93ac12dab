import { type Config, formatKeyPath, isPluginPath, type KeyPath, type LeftOut, organizationLayer } from "@pawl/config"
import type { Layer } from "@pawl/config/layer"

export interface OfferedConfig {
  readonly address: string
  readonly config: unknown
  readonly token?: { readonly name: string; readonly value: string } | undefined
}

/** The layer of an organization: what it says of things that only the user decides is left out. Rejects with a ConfigError. */
export async function layerOfOrganization({ address, config, token }: OfferedConfig): Promise<Layer> {
  const layer = await organizationLayer({ address, value: config, token })
  const { kept, leftOut } = withoutOwn(layer.config)
  const written = layer.written === undefined ? {} : { written: withoutOwn(layer.written).kept }
  return { ...layer, ...written, config: kept, leftOut: [...layer.leftOut, ...leftOut], isProject: false }
}

const PLACE = "an organization does not choose where your sessions are"
const PATH = "an organization names packages: a path would mean a file of yours or of the project"

function withoutOwn({ storage, data, skills, plugin, provider, ...rest }: Config) {
  const leftOut: LeftOut[] = []
  const drop = (path: KeyPath, reason: string) => void leftOut.push({ key: formatKeyPath(path), reason })
  if (storage !== undefined) drop(["storage"], PLACE)
  if (data !== undefined) drop(["data"], PLACE)
  if (skills !== undefined) drop(["skills"], "an organization names no directories of yours")
  const plugins = plugin?.filter((each, index) => {
    const isPath = isPluginPath(typeof each === "string" ? each : each[0])
    if (isPath) drop(["plugin", index], PATH)
    return !isPath
  })
  const providers = Object.entries(provider ?? {}).map(([id, { npm, ...each }]) => {
    const isPath = npm !== undefined && isPluginPath(npm)
    if (isPath) drop(["provider", id, "npm"], PATH)
    return [id, npm === undefined || isPath ? each : { npm, ...each }] as const
  })
  const kept: Config = {
    ...rest,
    ...(plugins ? { plugin: plugins } : {}),
    ...(provider ? { provider: Object.fromEntries(providers) } : {}),
  }
  return { kept, leftOut }
}

/** Neither runs anything, nor sends anything anywhere, nor lets anything be done that was not allowed. */
const PASSING: ReadonlySet<string> = new Set([
  ...["$schema", "model", "small_model", "default_agent", "instructions", "tool_output", "compaction"],
  ...["repetition", "title", "subagent_depth"],
])

/** Returns true if a top-level key of an organization's configuration needs the user's consent. */
export function needsConsent(key: string | number | undefined): boolean {
  return !PASSING.has(String(key))
}

/** Returns the part of a configuration that needs consent. While it is unchanged, the rest may change automatically. */
export function acceptedPart({ config, written = config }: Pick<Layer, "config" | "written">): string {
  const entries = Object.entries(written).filter(([key]) => needsConsent(key))
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
