// Writes the types and the routes of the client from the server's OpenAPI document.

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
}

interface Parameter {
  readonly name: string
  readonly in: "path" | "query"
  readonly required?: boolean
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
  readonly "x-missing"?: string
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export function generate({ paths, components }: Document): string {
  const all = Object.entries(paths).flatMap(([path, methods]) => {
    return Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
  })
  const offered = all
    .filter(({ operation }) => operation["x-missing"] === undefined && isJSON(operation))
    .toSorted((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1))
  return [
    "// Generated from the OpenAPI document of @pawl/server by `vitest run generated -u`. Do not change it by hand.",
    ...Object.entries(components.schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)}`),
    "/** Input and answer of each operation. */",
    `export interface Operations {\n${offered.map(({ operation }) => described(operation)).join("\n")}\n}`,
    `export const routes = {\n${offered.map(route).join("\n")}\n} as const`,
    "",
  ].join("\n\n")
}

function route({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  return `  ${JSON.stringify(operation.operationId)}: ${JSON.stringify(`${method} ${path}`)},`
}

/** Returns false for streams and files. */
function isJSON({ responses }: Operation): boolean {
  const content = responses["200"]?.content
  return content === undefined || content["application/json"] !== undefined
}

function described({ operationId, summary, parameters, requestBody, responses }: Operation): string {
  const inPath = parameters.filter((parameter) => parameter.in === "path")
  const inQuery = parameters.filter(({ name, in: place }) => place === "query" && !isDirectory(name))
  const body = requestBody?.content["application/json"]?.schema
  const answer = responses["200"]?.content?.["application/json"]?.schema
  const needsQuery = inQuery.some(({ required }) => required)
  const fields = [
    ...(inPath.length > 0 ? [`path: ${fieldsOf(inPath)}`] : []),
    ...(inQuery.length > 0 ? [`query${needsQuery ? "" : "?"}: ${fieldsOf(inQuery)}`] : []),
    ...(body ? [`body: ${typeOf(body)}`] : []),
  ]
  const input = `{ ${fields.join("; ")} }`
  const output = answer ? typeOf(answer) : "undefined"
  return `  /** ${summary} */\n  ${JSON.stringify(operationId)}: { input: ${input}; output: ${output} }`
}

/** The client sends its directory with every request. */
function isDirectory(name: string): boolean {
  return name === "directory" || name === "location[directory]"
}

function fieldsOf(parameters: readonly Parameter[]): string {
  return `{ ${parameters.map(({ name, required, schema }) => `${key(name)}${required ? "" : "?"}: ${typeOf(schema)}`).join("; ")} }`
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)
  if ("const" in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  const choices = schema.oneOf ?? schema.anyOf
  if (choices) return choices.map((each) => typeOf(each)).join(" | ")
  if (Array.isArray(schema.type)) return schema.type.map((type: string) => typeOf({ ...schema, type })).join(" | ")
  switch (schema.type) {
    case "array":
      return `(${schema.items ? typeOf(schema.items) : "unknown"})[]`
    case "object":
      return objectType(schema)
    case "integer":
    case "number":
      return "number"
    case "string":
    case "boolean":
    case "null":
      return schema.type
    default:
      return "unknown"
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const more = typeof additionalProperties === "object" ? typeOf(additionalProperties) : undefined
  const fields = Object.entries(properties).map(([name, schema]) => {
    return `${key(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema)}`
  })
  if (fields.length === 0) return `{ [key: string]: ${more ?? "unknown"} }`
  const open = additionalProperties === undefined ? [] : ["[key: string]: unknown"]
  return `{ ${[...fields, ...open].join("; ")} }`
}

function key(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name)
}
