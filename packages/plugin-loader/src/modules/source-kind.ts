import { extname } from "node:path"
import { fileURLToPath } from "node:url"

/** How a module's text becomes a module: by Node alone, without its types, as one text, or as a value. */
export type SourceKind = "node" | "typescript" | "text" | "json"

const KINDS: Readonly<Record<string, SourceKind>> = {
  ...{ ".ts": "typescript", ".mts": "typescript", ".cts": "typescript" },
  ...{ ".txt": "text", ".md": "text", ".json": "json" },
}

/** `type`: what the import says of it (`with { type }`), which comes before the suffix. */
export function sourceKind(url: string, type?: string): SourceKind {
  if (type === "text") return "text"
  return KINDS[extname(fileURLToPath(url))] ?? "node"
}

/** Whether a text has imports or exports at the start of a line; `import(…)` is none. */
export function hasModuleSyntax(text: string): boolean {
  return /^\s*(?:import\b(?!\s*\()|export\b)/m.test(text)
}

/** A module whose default export is the text, or the JSON's value. Throws SyntaxError for what is no JSON. */
export function valueModule(kind: "text" | "json", text: string): string {
  const value: unknown = kind === "json" ? JSON.parse(text.replace(/^\uFEFF/, "")) : text
  // Not as a literal: `__proto__` would be no key of its own.
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(value))})`
}
