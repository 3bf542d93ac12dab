import path from "node:path"
import type { Finding, Locate } from "./finding.ts"
import { formatKeyPath } from "./key-path.ts"
import type { ReadConfigOptions } from "./options.ts"
import { readText } from "./read-text.ts"
import type { ContentSource, FileSource, Source } from "./source.ts"
import { substitute } from "./substitute.ts"
import { validate } from "./validate.ts"

/** The value is a valid configuration if nothing was found wrong, and of no use otherwise. */
export interface Reading {
  value: unknown
  findings: Finding[]
  /** Absent where there is no text to find places in. */
  locate?: Locate | undefined
}

export async function readSource(source: Source, options: ReadConfigOptions): Promise<Reading> {
  if (source.kind === "overrides") {
    const { value } = source
    return { value, findings: validate(value, { written: value, locate: () => undefined }) }
  }
  if (source.kind === "content") return await readDocument(source.text, source, options)

  const { text, failure } = await readText(source.name)
  if (failure === undefined) return await readDocument(text, source, options)
  return { value: {}, findings: [{ message: `The file ${failure}. ${remedy(source, options)}` }] }
}

async function readDocument(
  text: string,
  source: FileSource | ContentSource,
  options: ReadConfigOptions,
): Promise<Reading> {
  const { parseDocument } = await import("./document.ts")
  const { value: written, findings, locate } = parseDocument(text)
  if (locate === undefined) return { value: written, findings }

  const base = source.kind === "content" ? options.directory : path.dirname(source.name)
  const substituted = isSubstituted(source, options)
    ? await substitute(written, { env: options.env, home: options.home, base })
    : { value: written, failures: [] }

  // A value that could not be had is not also reported for what it is.
  const failed = new Set<string>(substituted.failures.map((failure) => formatKeyPath(failure.path)))
  const invalid = validate(substituted.value, { written, locate }).filter(
    (finding) => finding.path === undefined || !failed.has(formatKeyPath(finding.path)),
  )
  const missing = substituted.failures.map((failure) => ({ ...failure, position: locate(failure.path, "value") }))
  return { value: substituted.value, findings: [...findings, ...missing, ...invalid], locate }
}

function isSubstituted(
  { kind }: FileSource | ContentSource,
  { substitute: setting = true }: ReadConfigOptions,
): boolean {
  return typeof setting === "boolean" ? setting : (setting[kind] ?? true)
}

function remedy(source: FileSource, { file }: ReadConfigOptions): string {
  if (source.kind !== "file") return "Remove it or put a configuration file in its place."
  return file ? "Name another one." : "Correct PAWL_CONFIG or unset it."
}
