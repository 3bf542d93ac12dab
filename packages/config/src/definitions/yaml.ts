import { isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLError, type YAMLMap } from "yaml"
import type { Document } from "../document.ts"
import type { KeyPath } from "../key-path.ts"
import { createPositions } from "../positions.ts"

/** Added before the text, so that positions match the file with its opening `---`. */
const OPENING = "---\n"
const MAX_DEPTH = 20

/**
 * Parses YAML with a mapping at its top. Does not support aliases and tags, which can expand a few lines to more than
 * the memory holds. Reports only the first problem.
 */
export function parseYaml(text: string): Document {
  const position = createPositions(OPENING + text)
  const at = (offset: number) => position(OPENING.length + offset)
  const failed = (message: string, offset: number): Document => ({
    value: {},
    findings: [{ message, position: at(offset) }],
  })

  const document = parseDocument(text, { prettyErrors: false, logLevel: "silent", schema: "core", stringKeys: true })
  const [error] = [...document.errors, ...document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0])
  if (error !== undefined) return failed(explain(error), error.pos[0])
  const root = document.contents
  if (root === null || (isScalar(root) && root.value === null)) return { value: {}, findings: [], locate: () => at(0) }
  if (!isMap(root)) return failed('The front matter must be lines of "key: value".', root.range?.[0] ?? 0)

  const places = new Map<string, { key: number; value: number }>()
  try {
    const value = toValue(root, [])
    return {
      value,
      findings: [],
      locate(path, part) {
        const place = nearest(path)
        return at(place === undefined ? 0 : place[part])
      },
    }
  } catch (problem) {
    if (problem instanceof NotRead) return failed(problem.message, problem.offset)
    throw problem
  }

  function nearest(path: KeyPath) {
    for (let length = path.length; length > 0; length--) {
      const place = places.get(JSON.stringify(path.slice(0, length)))
      if (place !== undefined) return place
    }
    return undefined
  }

  function toValue(node: Node, path: KeyPath): unknown {
    if (path.length > MAX_DEPTH) throw new NotRead(`More than ${MAX_DEPTH} levels are not read.`, node)
    if (isMap(node)) return Object.fromEntries(node.items.map((pair) => entryOf(node, pair, path)))
    if (isSeq(node)) {
      return node.items.map((item, index) => {
        const start = offsetOf(item) ?? offsetOf(node) ?? 0
        places.set(JSON.stringify([...path, index]), { key: start, value: start })
        return toValue(item as Node, [...path, index])
      })
    }
    if (isScalar(node)) return node.value
    throw new NotRead('Aliases ("*name") are not read. Put the value in quotes, or write it out.', node)
  }

  function entryOf(map: YAMLMap, { key, value }: Pair, path: KeyPath): [string, unknown] {
    if (!isScalar(key) || key.value === "") throw new NotRead("A key must be a word.", (key as Node | null) ?? map)
    const name = String(key.value)
    const start = offsetOf(key) ?? 0
    places.set(JSON.stringify([...path, name]), { key: start, value: offsetOf(value) ?? start })
    return [name, value === null ? null : toValue(value as Node, [...path, name])]
  }
}

class NotRead extends Error {
  readonly offset: number

  constructor(message: string, node: Node) {
    super(message)
    this.offset = offsetOf(node) ?? 0
  }
}

function offsetOf(node: unknown): number | undefined {
  return (node as Node | null)?.range?.[0]
}

function explain({ code, message }: YAMLError): string {
  switch (code) {
    case "DUPLICATE_KEY":
      return "The key stands here twice. Remove one."
    case "NON_STRING_KEY":
      return "A key must be a word."
    case "TAB_AS_INDENT":
      return "Tabs cannot be used for indentation. Use spaces."
    case "TAG_RESOLVE_FAILED":
      return 'Tags ("!name") are not read. Put the value in quotes.'
    case "RESOURCE_EXHAUSTION":
      return `More than ${MAX_DEPTH} levels are not read.`
    default:
      return `The front matter is not valid YAML: ${message.replace(/\.$/, "")}. Put a value with special characters in quotes.`
  }
}
