/** The part of a JSON Schema that a configuration uses. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema | readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
}

interface Row {
  readonly key: string
  readonly type: string
  readonly meaning: string
  /** Empty without one. */
  readonly usual: string
}

const HEAD =
  "<!-- Generated from apps/cli/test/configuration-introduction.md and packages/config/src/schema.ts. Do not edit; see AGENTS.md for the command that writes it. -->"

/** The reference of `pawl.jsonc` in Markdown: every key with what it takes, in the order of the schema. */
export function configurationReference(schema: Schema, introduction: string): string {
  const sections = Object.entries(schema.properties ?? {}).map(([key, value]) => {
    const rows = rowsOf(value, key)
    const [first, ...below] = rows
    const usual = first?.usual ? ` Default: ${first.usual}.` : ""
    const head = `## ${key}\n\n${sentence(first?.meaning ?? "")}Takes ${first?.type ?? ""}.${usual}`
    if (below.length === 0) return head
    const hasDefaults = below.some((row) => row.usual !== "")
    const lines = below.map((row) => {
      const cells = [`\`${row.key}\``, row.type, ...(hasDefaults ? [row.usual] : []), row.meaning]
      return `| ${cells.map(cell).join(" | ")} |`
    })
    const table = hasDefaults
      ? ["| key | takes | default | |", "| --- | --- | --- | --- |"]
      : ["| key | takes | |", "| --- | --- | --- |"]
    return [head, "", ...table, ...lines].join("\n")
  })
  return `${HEAD}\n\n${introduction}
${sections.join("\n\n")}
`
}

function rowsOf(schema: Schema, key: string): Row[] {
  const row = { key, type: typeOf(schema), ...described(schema.description ?? "") }
  return [row, ...variants(schema).flatMap((variant) => below(variant, key))].filter(
    ({ key: each }, at, all) => all.findIndex((other) => other.key === each) === at,
  )
}

/** Descriptions state a default in a sentence of its own, so that editors show it as well. */
function described(description: string): Pick<Row, "meaning" | "usual"> {
  const [sentence = "", usual = ""] = / ?Default: (.*?)\.(?= |$)/.exec(description) ?? []
  return { meaning: description.replace(sentence, ""), usual }
}

function below({ properties = {}, additionalProperties, items }: Schema, key: string): Row[] {
  const named = Object.entries(properties).flatMap(([name, value]) => rowsOf(value, `${key}.${name}`))
  const any =
    typeof additionalProperties === "object" && hasWords(additionalProperties)
      ? rowsOf(additionalProperties, `${key}.<name>`)
      : []
  const listed = items !== undefined && !Array.isArray(items) ? below(items as Schema, `${key}[]`) : []
  return [...named, ...any, ...listed]
}

function hasWords(schema: Schema): boolean {
  return Object.keys(schema).length > 0
}

function variants(schema: Schema): readonly Schema[] {
  const several = schema.anyOf ?? schema.oneOf ?? schema.allOf
  return several ? several.flatMap(variants) : [schema]
}

function typeOf(schema: Schema): string {
  const several = schema.anyOf ?? schema.oneOf
  if (several) return [...new Set(several.map(typeOf))].join(" or ")
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ")
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.type === "array") return Array.isArray(schema.items) ? "a list" : listOf((schema.items ?? {}) as Schema)
  const type = Array.isArray(schema.type) ? schema.type.join(" or ") : String(schema.type ?? "anything")
  return TYPES[type] ?? type
}

function listOf(items: Schema): string {
  const type = typeOf(items)
  return `a list of ${MANY[type] ?? type}`
}

/** Of what a list has. */
const MANY: Readonly<Record<string, string>> = { "a string": "strings", "an object": "objects", "a number": "numbers" }

const TYPES: Readonly<Record<string, string>> = {
  object: "an object",
  string: "a string",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
}

function sentence(text: string): string {
  return text === "" ? "" : `${text} `
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|")
}
