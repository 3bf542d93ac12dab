import { ConfigError, type ConfigProblem } from "./config-error.ts"
import { comparePositions, type Finding } from "./finding.ts"
import { formatKeyPath } from "./key-path.ts"
import type { ConfigLayer } from "./merge.ts"
import type { ReadConfigOptions } from "./options.ts"
import { readSource } from "./read-source.ts"
import type { Config } from "./schema.ts"
import type { Source } from "./source.ts"

/** Reads every source before it complains, so that one run shows all there is to correct. */
export async function readLayers(sources: readonly Source[], options: ReadConfigOptions): Promise<ConfigLayer[]> {
  const readings = await Promise.all(
    sources.map(async (source) => ({ source, ...(await readSource(source, options)) })),
  )
  const [first, ...others] = readings.flatMap(({ source, findings }) =>
    findings.toSorted((a, b) => comparePositions(a.position, b.position)).map((finding) => problemIn(source, finding)),
  )
  if (first !== undefined) throw new ConfigError([first, ...others])
  return readings.map(({ source, value }) => ({ source: source.name, config: value as Config }))
}

function problemIn({ name, label }: Source, { message, path, position }: Finding): ConfigProblem {
  const place = position === undefined ? label : `${label}:${position.line}:${position.column}`
  return {
    file: name,
    ...position,
    ...(path === undefined ? {} : { path: formatKeyPath(path) }),
    message: `${place}: ${message}`,
  }
}
