import { ConfigError, type ConfigProblem } from "./config-error.ts"
import { comparePositions, type Finding } from "./finding.ts"
import { formatKeyPath, type KeyPath, valueAt } from "./key-path.ts"
import type { ConfigLayer } from "./merge.ts"
import type { ReadConfigOptions } from "./options.ts"
import { type Reading, readSource } from "./read-source.ts"
import type { WrittenConfig } from "./schema.ts"
import { renewConfig } from "./deprecated.ts"
import type { Source } from "./source.ts"

/** Reads every source before it throws, so that the error lists all problems. */
export async function readLayers(sources: readonly Source[], options: ReadConfigOptions): Promise<ConfigLayer[]> {
  const readings = await Promise.all(
    sources.map(async (source) => ({ source, ...(await readSource(source, options)) })),
  )
  const [first, ...others] = readings.flatMap(({ source, findings }) =>
    findings.toSorted((a, b) => comparePositions(a.position, b.position)).map((finding) => problemIn(source, finding)),
  )
  if (first !== undefined) throw new ConfigError([first, ...others])
  return readings.map(({ source, ...reading }) => ({ ...toLayer(source, reading), ...namedBy(source) }))
}

function namedBy(source: Source): Pick<ConfigLayer, "namedBy"> {
  return "namedBy" in source && source.kind === "file" ? { namedBy: source.namedBy } : {}
}

/** Returns the layer of a valid source. */
export function toLayer(
  { name, kind }: Pick<ConfigLayer, "kind"> & { readonly name: string },
  { value, written: asWritten, leftOut, locate }: Omit<Reading, "findings">,
): ConfigLayer {
  const { config, writtenAt } = renewConfig(value as WrittenConfig)
  const positionOf = (path: KeyPath) => {
    const written = writtenAt(path)
    return valueAt(value, written) === undefined ? undefined : locate?.(written, "key")
  }
  const written = asWritten === undefined ? {} : { written: renewConfig(asWritten as WrittenConfig).config }
  return { source: name, kind, config, ...written, leftOut, positionOf }
}

export function problemIn(
  { name, label }: Pick<Source, "name" | "label">,
  { message, path, position }: Finding,
): ConfigProblem {
  const place = position === undefined ? label : `${label}:${position.line}:${position.column}`
  return {
    file: name,
    ...position,
    ...(path === undefined ? {} : { path: formatKeyPath(path) }),
    message: `${place}: ${message}`,
  }
}
