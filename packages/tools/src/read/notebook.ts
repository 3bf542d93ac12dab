type JSONRecord = Readonly<Record<string, unknown>>

/**
 * Formats a Jupyter notebook for a model: its cells in order, numbered from 1, with the text output of code cells.
 * Images and other media are only named. Returns undefined if it is not a notebook of version 4.
 */
export function notebookText(json: string): string | undefined {
  const notebook = parsed(json)
  const cells = isRecord(notebook) ? notebook["cells"] : undefined
  if (!Array.isArray(cells)) return undefined
  const [first] = cells as unknown[]
  const language = languageOf(notebook as JSONRecord)
  if (first === undefined) return "(The notebook has no cells.)"
  return (cells as unknown[])
    .map((cell, index) => cellText(isRecord(cell) ? cell : {}, index + 1, language))
    .join("\n\n")
}

function cellText(cell: JSONRecord, number: number, language: string): string {
  const type = typeof cell["cell_type"] === "string" ? cell["cell_type"] : "raw"
  const heading = `[Cell ${number}: ${type === "code" ? language : type}]`
  const outputs = Array.isArray(cell["outputs"]) ? (cell["outputs"] as unknown[]) : []
  const printed = outputs.map((output) => outputText(isRecord(output) ? output : {})).filter((text) => text !== "")
  return [heading, joined(cell["source"]), ...(printed.length > 0 ? [`[Output ${number}]`, ...printed] : [])]
    .map((text) => text.replace(/\n$/, ""))
    .join("\n")
}

function outputText(output: JSONRecord): string {
  if (output["output_type"] === "stream") return withoutColours(joined(output["text"]))
  if (output["output_type"] === "error") {
    return (
      withoutColours(joined(output["traceback"], "\n")) || `${joined(output["ename"])}: ${joined(output["evalue"])}`
    )
  }
  const shown = isRecord(output["data"]) ? output["data"] : {}
  const media = Object.keys(shown).filter((type) => !type.startsWith("text/"))
  return [joined(shown["text/plain"]), ...media.map((type) => `(${type} is not shown.)`)]
    .filter((text) => text !== "")
    .join("\n")
}

/** A text is a string or a list of lines. Lines include their line ends, except in a traceback. */
function joined(text: unknown, separator = ""): string {
  if (typeof text === "string") return text
  return Array.isArray(text) ? text.filter((line) => typeof line === "string").join(separator) : ""
}

function languageOf(notebook: JSONRecord): string {
  const { metadata } = notebook
  const info = isRecord(metadata) ? metadata["language_info"] : undefined
  const name = isRecord(info) ? info["name"] : undefined
  return typeof name === "string" && /^[\w+#. -]{1,40}$/.test(name) ? name : "code"
}

function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex -- matches terminal colour codes.
  return text.replaceAll(/\u001b\[[\d;]*m/g, "")
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is JSONRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
