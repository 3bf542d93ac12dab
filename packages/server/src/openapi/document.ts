import { z } from "zod"
import { error, names } from "./answers.ts"
import type { Operation, Operations } from "./operation.ts"

type JSONSchema = Readonly<Record<string, unknown>>

/** Returns the OpenAPI document of described routes. */
export function openAPIDocument(operations: Operations, version: string): object {
  const schemas: Record<string, unknown> = {}
  const failure = { description: "The request failed.", content: json(schemaOf(error, schemas)) }
  const paths: Record<string, Record<string, object>> = {}
  for (const [route, operation] of Object.entries(operations)) {
    const [method = "", written = ""] = route.split(" ")
    const path = written.replace("*", ":path")
    const item = (paths[path.replaceAll(/:(\w+)/g, "{$1}")] ??= {})
    item[method.toLowerCase()] = {
      operationId: operation.id,
      summary: operation.summary,
      parameters: parametersOf(path, operation, schemas),
      ...(operation.body ? { requestBody: { content: json(schemaOf(operation.body, schemas)) } } : {}),
      responses: { ...answerOf(operation, schemas), default: failure },
      ...(operation.missing === undefined ? {} : { "x-missing": operation.missing }),
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "pawl", version, description: "OpenCode's HTTP interface, served by pawl." },
    security: [{ bearer: [] }, { basic: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" }, basic: { type: "http", scheme: "basic" } },
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

function parametersOf(path: string, { query, isGlobal }: Operation, schemas: Record<string, unknown>): object[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => {
    return { name, in: "path", required: true, schema: { type: "string" } }
  })
  const { properties = {}, required = [] }: QuerySchema = query ? schemaOf(query, schemas) : {}
  const inQuery = Object.entries(properties).map(([name, schema]) => {
    return { name, in: "query", ...(required.includes(name) ? { required: true } : {}), schema }
  })
  const name = path.startsWith("/api/") ? "location[directory]" : "directory"
  const directory = { name, in: "query", schema: { type: "string" } }
  return [...inPath, ...inQuery, ...(isGlobal ? [] : [directory])]
}

interface QuerySchema {
  readonly properties?: Readonly<Record<string, JSONSchema>>
  readonly required?: readonly string[]
}

function answerOf({ answer, type, missing }: Operation, schemas: Record<string, unknown>): object {
  if (missing !== undefined) return {}
  if (!answer) return { 204: { description: "Done." } }
  const schema = schemaOf(answer, schemas)
  return { 200: { description: "Done.", content: type ? { [type]: { schema } } : json(schema) } }
}

function json(schema: JSONSchema): object {
  return { "application/json": { schema } }
}

/** Converts a schema, and adds the named schemas that it contains. */
function schemaOf(schema: z.ZodType, schemas: Record<string, unknown>): JSONSchema {
  const options = { io: "input", unrepresentable: "any", metadata: names } as const
  const text = JSON.stringify(z.toJSONSchema(schema, options)).replaceAll('"#/$defs/', '"#/components/schemas/')
  const { $schema: _schema, $defs, ...own } = JSON.parse(text) as Record<string, unknown>
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, JSONSchema>)) {
    const { id: _id, ...rest } = definition
    schemas[name] = rest
  }
  return own
}
