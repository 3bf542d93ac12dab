import { createScanner, type Node, type ParseError, parseTree } from "jsonc-parser"
import type { Finding, Locate } from "./finding.ts"
import { type KeyPath, shortKeyPath } from "./key-path.ts"
import { createPositions } from "./positions.ts"
import { syntaxMessage } from "./syntax-message.ts"

/** Parsed JSON with comments and trailing commas. `locate` is absent if the text is invalid. */
export interface Document {
  value: unknown
  findings: Finding[]
  locate?: Locate
}

/** Maximum depth of nested objects and arrays. */
const MAX_DEPTH = 100

/**
 * Parses a configuration file. Treats a text without a value as an empty object and ignores a byte order mark. The
 * first of duplicate keys counts.
 */
export function parseDocument(given: string): Document {
  const text = given.replace(/^\uFEFF/, "")
  const position = createPositions(text)
  const deep = tooDeep(text)
  if (deep !== undefined) {
    return { value: {}, findings: [{ message: TOO_DEEP, position: position(deep) }] }
  }

  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true })

  // The parser may report errors that follow from the first one, so only the first one is reported.
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
      message: `Duplicate key ${shortKeyPath(path)}: it is already on line ${position(original.offset).line}. Remove one.`,
      path,
      position: position(second.offset),
    })),
    locate: createLocate(root, position),
  }
}

const TOO_DEEP = `More than ${MAX_DEPTH} levels of objects and arrays are not read.`

/** Reports nesting that is too deep, for a value that another parser returned. */
export function depthFindings(value: unknown): Finding[] {
  let level = [value]
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []))
  }
  return level.length > 0 ? [{ message: TOO_DEEP }] : []
}

/** Finds nesting that is too deep for recursion, so that a project's file cannot crash its reader. */
function tooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true)
  let depth = 0
  for (let end = 0; end < text.length; end = scanner.getPosition()) {
    scanner.scan()
    const token = text.charAt(scanner.getTokenOffset())
    if (token === "{" || token === "[") depth++
    if (token === "}" || token === "]") depth--
    if (depth > MAX_DEPTH) return scanner.getTokenOffset()
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
  // Unlike an assignment, this defines `__proto__` as a plain property.
  return Object.fromEntries(entries)
}

/** Indexes each object's keys at its first use, since there may be as many paths as keys. */
function createLocate(root: Node, position: ReturnType<typeof createPositions>): Locate {
  const indexes = new Map<Node, Map<string, Node>>()

  function propertyOf(node: Node, name: string): Node | undefined {
    const index = indexes.get(node) ?? new Map((node.children ?? []).toReversed().map((each) => [nameOf(each), each]))
    indexes.set(node, index)
    return index.get(name)
  }

  return (path, part) => {
    let node = root
    let key: Node | undefined
    for (const step of path) {
      const child = typeof step === "number" ? node.children?.[step] : propertyOf(node, step)
      const value = typeof step === "number" ? child : child?.children?.[1]
      if (value === undefined) return position(node.offset)
      key = typeof step === "number" ? undefined : child?.children?.[0]
      node = value
    }
    return position((part === "key" && key !== undefined ? key : node).offset)
  }
}

function nameOf(property: Node): string {
  return String(property.children?.[0]?.value)
}
