import { type Config, formatKeyPath, isPluginPath, type KeyPath, type LeftOut, organizationLayer } from "@pawl/config"
import type { Layer } from "@pawl/config/layer"

export interface OfferedConfig {
  readonly address: string
  readonly config: unknown
  readonly token?: { readonly name: string; readonly value: string } | undefined
}

/** Returns the layer of an organization without the keys that only the user decides. Rejects with a ConfigError. */
export async function layerOfOrganization({ address, config, token }: OfferedConfig): Promise<Layer> {
  const layer = await organizationLayer({ address, value: config, token })
  const { kept, leftOut } = withoutUserKeys(layer.config)
  const written = layer.written === undefined ? {} : { written: withoutUserKeys(layer.written).kept }
  return { ...layer, ...written, config: kept, leftOut: [...layer.leftOut, ...leftOut], isProject: false }
}

const LOCATION_REASON = "an organization does not choose where your sessions are"
const PATH_REASON = "an organization names packages: a path would mean a file of yours or of the project"

function withoutUserKeys({ storage, data, skills, plugin, provider, ...rest }: Config) {
  const leftOut: LeftOut[] = []
  const drop = (path: KeyPath, reason: string) => void leftOut.push({ key: formatKeyPath(path), reason })
  if (storage !== undefined) drop(["storage"], LOCATION_REASON)
  if (data !== undefined) drop(["data"], LOCATION_REASON)
  if (skills !== undefined) drop(["skills"], "an organization names no directories of yours")
  const plugins = plugin?.filter((each, index) => {
    const isPath = isPluginPath(typeof each === "string" ? each : each[0])
    if (isPath) drop(["plugin", index], PATH_REASON)
    return !isPath
  })
  const providers = Object.entries(provider ?? {}).map(([id, { npm, ...each }]) => {
    const isPath = npm !== undefined && isPluginPath(npm)
    if (isPath) drop(["provider", id, "npm"], PATH_REASON)
    return [id, npm === undefined || isPath ? each : { npm, ...each }] as const
  })
  const kept: Config = {
    ...rest,
    ...(plugins ? { plugin: plugins } : {}),
    ...(provider ? { provider: Object.fromEntries(providers) } : {}),
  }
  return { kept, leftOut }
}

/** These keys start no program, send nothing anywhere, and allow nothing new. */
const HARMLESS_KEYS: ReadonlySet<string> = new Set([
  ...["$schema", "model", "small_model", "default_agent", "instructions", "tool_output", "compaction"],
  ...["repetition", "title", "subagent_depth"],
])

/** Returns true if a top-level key of an organization's configuration needs the user's consent. */
export function needsConsent(key: string | number | undefined): boolean {
  return !HARMLESS_KEYS.has(String(key))
}

/** Returns the part of a configuration that needs consent. While it is unchanged, the rest may change automatically. */
export function acceptedPart({ config, written = config }: Pick<Layer, "config" | "written">): string {
  const entries = Object.entries(written).filter(([key]) => needsConsent(key))
  return JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
