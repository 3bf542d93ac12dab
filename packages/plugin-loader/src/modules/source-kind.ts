import { extname } from "node:path"
import { fileURLToPath } from "node:url"

/** How a text becomes a module: by Node, after removing types, as a text, or as a JSON value. */
export type SourceKind = "node" | "typescript" | "text" | "json"

const KINDS: Readonly<Record<string, SourceKind>> = {
  ...{ ".ts": "typescript", ".mts": "typescript", ".cts": "typescript" },
  ...{ ".txt": "text", ".md": "text", ".json": "json" },
}

/** `type` is the import attribute (`with { type }`), which overrides the suffix. */
export function sourceKind(url: string, type?: string): SourceKind {
  if (type === "text") return "text"
  return KINDS[extname(fileURLToPath(url))] ?? "node"
}

/** Returns true if a line starts with an import or export. `import(…)` does not count. */
export function hasModuleSyntax(text: string): boolean {
  return /^\s*(?:import\b(?!\s*\()|export\b)/m.test(text)
}

/** Returns a module whose default export is the text or the JSON value. Throws SyntaxError for invalid JSON. */
export function valueModule(kind: "text" | "json", text: string): string {
  const value: unknown = kind === "json" ? JSON.parse(text.replace(/^\uFEFF/, "")) : text
  // Not a literal, because `__proto__` in a literal sets the prototype.
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(value))})`
}
