import path from "node:path"
import { comparePositions, type Finding, type Locate } from "./finding.ts"
import { formatKeyPath, withoutPaths } from "./key-path.ts"
import type { LeftOut } from "./left-out.ts"
import { fromOpenCode } from "./opencode/from-opencode.ts"
import { validateLeniently } from "./opencode/validate-leniently.ts"
import type { ReadConfigOptions } from "./options.ts"
import { limited, readText } from "./read-text.ts"
import type { ContentSource, FileSource, Source } from "./source.ts"
import { substitute, type SubstituteContext } from "./substitute.ts"
import { isKnownKey, validate } from "./validate.ts"

/** The result of reading a source. The value is a valid configuration only if there are no findings. */
export interface Reading {
  value: unknown
  /** The value before references were replaced. Absent if it has no references. */
  written?: unknown
  findings: Finding[]
  leftOut: LeftOut[]
  /** Absent if the source has no text. */
  locate?: Locate | undefined
}

export async function readSource(source: Source, options: ReadConfigOptions): Promise<Reading> {
  if (source.kind === "overrides") {
    const { value } = source
    return { value, findings: validate(value, { written: value, locate: () => undefined }), leftOut: [] }
  }
  if (source.kind === "content") return await readDocument(source.text, source, options)

  const { text, failure } = source.text === undefined ? await readText(source.name) : limited(source.text)
  if (failure === undefined) return await readDocument(text, source, options)
  return { value: {}, findings: [{ message: `The file ${failure}. ${remedy(source)}` }], leftOut: [] }
}

async function readDocument(
  text: string,
  source: FileSource | ContentSource,
  options: ReadConfigOptions,
): Promise<Reading> {
  const { parseDocument } = await import("./document.ts")
  const { value: written, findings, locate } = parseDocument(text)
  if (locate === undefined) return { value: written, findings, leftOut: [] }

  const base = source.kind === "content" ? options.directory : path.dirname(source.name)
  const references = isSubstituted(source, options) ? { env: options.env, home: options.home, base } : undefined
  const isOpenCode = source.isOpenCode === true
  const read = await readValue(written, { locate, references, isOpenCode })
  return { ...read, findings: [...findings, ...read.findings] }
}

export interface ReadValueOptions {
  locate: Locate
  /** Context to replace references. If undefined, they stay unchanged. */
  references?: SubstituteContext | undefined
  /** True for OpenCode's format, whose unknown keys are ignored. */
  isOpenCode: boolean
}

export async function readValue(
  given: unknown,
  { locate: locateGiven, references, isOpenCode }: ReadValueOptions,
): Promise<Reading> {
  const converted = isOpenCode ? fromOpenCode(given, isKnownKey) : undefined
  const written = converted ? converted.value : given
  const locate: Locate = converted ? (at, part) => locateGiven(converted.writtenAt(at), part) : locateGiven
  const { value, failures } = references ? await substitute(written, references) : { value: written, failures: [] }

  const validated = isOpenCode
    ? validateLeniently(value, { written, locate })
    : { value, findings: validate(value, { written, locate }), unknown: [] }
  // A value whose reference failed is not also reported as invalid.
  const failed = new Set<string>(failures.map((failure) => formatKeyPath(failure.path)))
  const invalid = validated.findings.filter(({ path: at }) => at === undefined || !failed.has(formatKeyPath(at)))
  const missing = failures.map((failure) => ({ ...failure, position: locate(failure.path, "value") }))

  const leftOut = [
    ...(converted?.dropped ?? []).map(({ path: at, reason }) => ({ at, reason })),
    ...validated.unknown.map((at) => ({ at: converted ? converted.writtenAt(at) : at })),
  ].map(({ at, ...because }) => ({ key: formatKeyPath(at), ...locateGiven(at, "key"), ...because }))
  return {
    value: validated.value,
    ...(JSON.stringify(value) === JSON.stringify(written) ? {} : { written: withoutPaths(written, validated.unknown) }),
    findings: [...missing, ...invalid],
    leftOut: leftOut.toSorted((a, b) => comparePositions(placeOf(a), placeOf(b))),
    locate,
  }
}

function placeOf({ line, column }: LeftOut) {
  return line === undefined || column === undefined ? undefined : { line, column }
}

function isSubstituted(
  { kind }: FileSource | ContentSource,
  { substitute: setting = true }: ReadConfigOptions,
): boolean {
  return typeof setting === "boolean" ? setting : (setting[kind] ?? true)
}

function remedy(source: FileSource): string {
  if (source.kind !== "file") return "Remove it or put a configuration file in its place."
  return `Name another one, by ${source.namedBy}.`
}
