import { SourceMap } from "node:module"
import { fileURLToPath } from "node:url"
import { withoutQuery } from "./module-graph.ts"

/** A line of a file. */
export interface FileLine {
  /** Absolute. */
  readonly file: string
  /** From 1. */
  readonly line: number
}

export interface LineSources {
  /** URL of a module. Files in its directory or below take precedence. */
  readonly beside: string
  /** Returns the source map of a module whose line numbers changed. */
  readonly map: (url: string) => string | undefined
  /** Returns true for other modules that count. Default: none. */
  readonly has?: (url: string) => boolean
}

const FRAME = /(file:\/\/\/?[^\s()]+?|\/[^\s():]+):(\d+):(\d+)/g

/** Finds the line where an error was created, from its stack. */
export function lineOf(error: unknown, { beside, map, has = () => false }: LineSources): FileLine | undefined {
  if (!(error instanceof Error) || typeof error.stack !== "string") return undefined
  const directory = beside.slice(0, beside.lastIndexOf("/") + 1)
  const frames = Array.from(error.stack.matchAll(FRAME), ([, at = "", line, column]) => {
    return {
      url: withoutQuery(at.startsWith("file:") ? at : `file://${at}`),
      line: Number(line),
      column: Number(column),
    }
  })
  const found = frames.find(({ url }) => url.startsWith(directory)) ?? frames.find(({ url }) => has(url))
  return found && { file: fileURLToPath(found.url), line: originalLine(map(found.url), found.line, found.column) }
}

function originalLine(map: string | undefined, line: number, column: number): number {
  if (map === undefined) return line
  const source = new SourceMap(JSON.parse(map) as ConstructorParameters<typeof SourceMap>[0])
  const entry = source.findEntry(line - 1, column - 1)
  return "originalLine" in entry ? entry.originalLine + 1 : line
}
