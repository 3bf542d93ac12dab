import type { Layer } from "../settings/layer.ts"
import { configValues } from "../config/config-values.ts"
import { configEffects } from "../trust/config-effects.ts"
import { foreignLine } from "../render/foreign-lines.ts"
import type { WellKnown } from "./well-known.ts"

const MOST = 100

/** What an organization would set, for people: each value, then what of it runs or redirects. */
export function offerLines({ address, auth }: WellKnown, layer: Layer): string[] {
  const asWritten = { ...layer, config: layer.written ?? layer.config }
  const values = configValues([asWritten])
  const set = values.slice(0, MOST).map(({ key, value }) => `  ${key} = ${JSON.stringify(value)}`)
  // An organization is shown for what a project would have to be trusted for.
  const { does } = configEffects({ ...asWritten, isProject: true })
  const left = layer.leftOut ?? []
  const lines = [
    values.length === 0 ? `${address} sets nothing.` : `${address} sets:`,
    ...set,
    ...(values.length > MOST ? [`  … and ${values.length - MOST} more`] : []),
    ...(does.length === 0 ? [] : ["By that it", ...does.map((each) => `  ${each}`)]),
    ...(left.length === 0 ? [] : [`Left out: ${left.map(({ key }) => key).join(", ")}`]),
    ...(auth ? [`To sign in it runs: ${auth.command.join(" ")}`] : []),
  ]
  // What stands in front is pawl's own.
  return lines.map((line) => (line.startsWith("  ") ? `  ${foreignLine(line.trimStart())}` : foreignLine(line)))
}
