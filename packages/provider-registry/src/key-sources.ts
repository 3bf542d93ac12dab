import type { StoredAuth } from "@pawl/core/provider"
import { presets, setKeyVariable } from "./presets.ts"
import type { Layer } from "@pawl/config/layer"

/** That there is something to reach a provider with. */
export interface KeySource {
  readonly providerID: string
  readonly kind: "key" | "signed in" | "organization"
  /** A file, or a variable of the environment. */
  readonly source: string
}

export interface KeyLocations {
  readonly layers: readonly Layer[]
  readonly kept: ReadonlyMap<string, StoredAuth>
  /** Path of the credentials file. */
  readonly file: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

const KINDS = { api: "key", oauth: "signed in", wellknown: "organization" } as const

/** By provider in the order of ids; of one provider the first is used, unless a command names a variable. */
export function keySources({ layers, kept, file, environment }: KeyLocations): readonly KeySource[] {
  const configured = layers.toReversed().flatMap(({ config, source }) =>
    Object.entries(config.provider ?? {}).flatMap(([providerID, { options }]): KeySource[] => {
      return options?.apiKey === undefined ? [] : [{ providerID, kind: "key", source }]
    }),
  )
  const stored = [...kept].map(([providerID, { type }]): KeySource => ({ providerID, kind: KINDS[type], source: file }))
  const named = layers
    .filter(({ isProject }) => !isProject)
    .toReversed()
    .flatMap(({ config }) => Object.entries(config.provider ?? {}))
    .flatMap(([providerID, { env = [] }]): KeySource[] => {
      const source = env.find((name) => environment[name])
      return source === undefined ? [] : [{ providerID, kind: "key", source }]
    })
  const variables = presets.flatMap((preset): KeySource[] => {
    const source = setKeyVariable(preset, environment)
    return source === undefined ? [] : [{ providerID: preset.id, kind: "key", source }]
  })
  // The sort keeps the order of those that are alike.
  return [...configured, ...stored, ...named, ...variables].toSorted((a, b) => {
    return a.providerID === b.providerID ? 0 : a.providerID < b.providerID ? -1 : 1
  })
}
