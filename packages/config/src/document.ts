import { createScanner, findNodeAtLocation, type Node, type ParseError, parseTree } from "jsonc-parser"
import type { Finding, Locate, Position } from "./finding.ts"
import { formatKeyPath, type KeyPath } from "./key-path.ts"
import { syntaxMessage } from "./syntax-message.ts"

/** JSON with comments and trailing commas, read. There is no `locate` when the text is not such JSON. */
export interface Document {
  value: unknown
  findings: Finding[]
  locate?: Locate
}

const maxDepth = 100

/** A text without any value counts as an empty object. Of keys that occur twice the first one holds. */
export function parseDocument(text: string): Document {
  const position = (offset: number) => positionAt(text, offset)
  const deep = tooDeep(text)
  if (deep !== undefined) {
    const message = `More than ${maxDepth} levels of objects and arrays are not read.`
    return { value: {}, findings: [{ message, position: position(deep) }] }
  }

  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })

  // One slip makes the parser stumble again further on; only the first report is sure to be about the text.
  const [first] = errors
  if (first !== undefined) {
    return { value: {}, findings: [{ message: syntaxMessage(first, text), position: position(first.offset) }] }
  }
  if (root === undefined) return { value: {}, findings: [], locate: () => position(0) }

  const duplicates: Duplicate[] = []
  const value = toValue(root, [], duplicates)
  return {
    value,
    findings: duplicates.map(({ path, first: original, second }) => ({
      message: `Duplicate key ${formatKeyPath(path)}: it is already on line ${position(original.offset).line}. Remove one.`,
      path,
      position: position(second.offset),
    })),
    locate: (path, part) => position(nodeAt(root, path, part).offset),
  }
}

/** Where the text nests deeper than what follows can recurse; a file of a project must not be able to crash its reader. */
function tooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true)
  let depth = 0
  for (let end = 0; end < text.length; end = scanner.getPosition()) {
    scanner.scan()
    const token = text.charAt(scanner.getTokenOffset())
    if (token === "{" || token === "[") depth++
    if (token === "}" || token === "]") depth--
    if (depth > maxDepth) return scanner.getTokenOffset()
  }
  return undefined
}

interface Duplicate {
  path: KeyPath
  first: Node
  second: Node
}

function toValue(node: Node, path: KeyPath, duplicates: Duplicate[]): unknown {
  const children = node.children ?? []
  if (node.type === "array") return children.map((child, index) => toValue(child, [...path, index], duplicates))
  if (node.type !== "object") return node.value

  const keys = new Map<string, Node>()
  const entries: [string, unknown][] = []
  for (const { children: [key, value] = [] } of children) {
    if (key === undefined || value === undefined) continue
    const name = String(key.value)
    const first = keys.get(name)
    if (first === undefined) {
      keys.set(name, key)
      entries.push([name, toValue(value, [...path, name], duplicates)])
    } else {
      duplicates.push({ path: [...path, name], first, second: key })
    }
  }
  // Unlike assignment, this makes a plain property of `__proto__`.
  return Object.fromEntries(entries)
}

function nodeAt(root: Node, path: KeyPath, part: "key" | "value"): Node {
  const node = findNodeAtLocation(root, [...path])
  if (node === undefined) return path.length === 0 ? root : nodeAt(root, path.slice(0, -1), "value")
  return (part === "key" && node.parent?.type === "property" ? node.parent.children?.[0] : node) ?? node
}

function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: lines.length, column: Array.from(lines.at(-1) ?? "").length + 1 }
}
