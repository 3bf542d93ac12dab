import path from "node:path"
import type { ConfigProblem } from "./config-error.ts"
import type { Document } from "./document.ts"
import { comparePositions, type Finding } from "./finding.ts"
import { formatKeyPath } from "./key-path.ts"
import type { ReadConfigOptions } from "./read-config.ts"
import { readText } from "./read-text.ts"
import type { FileSource, OverridesSource, Source } from "./source.ts"
import { substitute } from "./substitute.ts"

/** One source, read. The value is a valid configuration if there are no problems, and of no use otherwise. */
export interface Layer {
  name: string
  value: unknown
  problems: ConfigProblem[]
}

export type LayerOptions = Pick<ReadConfigOptions, "directory" | "env" | "home" | "substitute" | "file">

export async function readLayer(source: Source, options: LayerOptions): Promise<Layer> {
  const { value, findings } = await readSource(source, options)
  const problems = findings
    .sort((a, b) => comparePositions(a.position, b.position))
    .map((finding) => problemIn(source, finding))
  return { name: source.name, value, problems }
}

interface Reading {
  value: unknown
  findings: Finding[]
}

async function readSource(source: Source, options: LayerOptions): Promise<Reading> {
  if (source.kind === "overrides") return readOverrides(source)
  const { text, failure } = source.kind === "content" ? source : await readText(source.name)
  if (failure !== undefined) return { value: {}, findings: [unreadable(source, failure, options)] }
  return await readDocument(text, source, options)
}
