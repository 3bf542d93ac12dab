import type { JSONObject } from "@pawl/core/provider"
import { expect, it } from "vitest"
import { geminiSchema } from "./gemini-schema.ts"

it.each<[string, JSONObject, JSONObject]>([
  [
    "leaves out what Gemini has no word for",
    { $schema: "x", $id: "y", type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
    { type: "object", properties: { a: { type: "string" } } },
  ],
  ["makes a constant an enumeration", { const: "a" }, { type: "string", enum: ["a"] }],
  ["keeps an enumeration of texts", { enum: ["a", "b"] }, { type: "string", enum: ["a", "b"] }],
  [
    "tells values that are no texts in words",
    { type: "integer", enum: [1, 2] },
    { type: "integer", description: "One of 1, 2." },
  ],
  [
    "adds such words to those there are",
    { type: "integer", const: 1, description: "How many." },
    { type: "integer", description: "How many. One of 1." },
  ],
  ["makes null among the types nullable", { type: ["string", "null"] }, { type: "string", nullable: true }],
  ["makes null among the values nullable", { enum: ["a", null] }, { type: "string", enum: ["a"], nullable: true }],
  [
    "makes several types alternatives",
    { type: ["string", "integer"] },
    { anyOf: [{ type: "string" }, { type: "integer" }] },
  ],
  [
    "makes null among the alternatives nullable, and one alternative the schema itself",
    { description: "A.", anyOf: [{ type: "string" }, { type: "null" }] },
    { description: "A.", type: "string", nullable: true },
  ],
  [
    "makes oneOf anyOf",
    { oneOf: [{ type: "string" }, { type: "integer", exclusiveMinimum: 0 }] },
    { anyOf: [{ type: "string" }, { type: "integer" }] },
  ],
  [
    "joins allOf",
    {
      allOf: [
        { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
        { properties: { b: { type: "string" } }, required: ["b"] },
      ],
    },
    { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, required: ["a", "b"] },
  ],
  ["says what a list holds", { type: "array" }, { type: "array", items: { type: "string" } }],
  [
    "takes the first of a list of items",
    { type: "array", items: [{ const: "a" }, { type: "integer" }] },
    { type: "array", items: { type: "string", enum: ["a"] } },
  ],
  [
    "requires only what there is",
    { type: "object", properties: { a: { type: "string" } }, required: ["a", "b"] },
    { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  ],
  [
    "keeps properties that are named like keywords",
    { type: "object", properties: { const: { type: "string" }, $ref: { type: "string" }, items: { type: "string" } } },
    { type: "object", properties: { const: { type: "string" }, $ref: { type: "string" }, items: { type: "string" } } },
  ],
  [
    "writes references out",
    {
      type: "object",
      properties: { a: { $ref: "#/$defs/name", description: "Here." } },
      $defs: { name: { type: "string", description: "There." } },
    },
    { type: "object", properties: { a: { type: "string", description: "Here." } } },
  ],
  [
    "writes a schema that holds itself out once",
    {
      $ref: "#/definitions/node",
      definitions: {
        node: { type: "object", properties: { next: { $ref: "#/definitions/node" }, name: { type: "string" } } },
      },
    },
    { type: "object", properties: { next: { type: "object" }, name: { type: "string" } } },
  ],
  ["takes a reference to nothing for any object", { $ref: "#/$defs/gone" }, { type: "object" }],
  ["keeps an object without properties", { type: "object", properties: {} }, { type: "object", properties: {} }],
])("%s", (_what, schema, expected) => {
  const before = structuredClone(schema)
  expect(geminiSchema(schema)).toEqual(expected)
  expect(schema).toEqual(before)
})

/** Of `n` schemas each refers twice to the next, or every one to all of them. */
const doubling = (n: number, all: boolean): JSONObject => {
  const properties = (index: number) => {
    const next = all ? Array.from({ length: n }, (_, other) => other) : index + 1 < n ? [index + 1, index + 1] : []
    return Object.fromEntries(next.map((other, at) => [`p${at}`, { $ref: `#/$defs/d${other}` }]))
  }
  const defs = Array.from({ length: n }, (_, index) => [`d${index}`, { type: "object", properties: properties(index) }])
  return { type: "object", properties: { root: { $ref: "#/$defs/d0" } }, $defs: Object.fromEntries(defs) as JSONObject }
}

it.each([
  ["refer to each other", doubling(40, true)],
  ["double at each reference", doubling(60, false)],
])("stays of a size that can be sent where schemas %s", (_what, schema) => {
  const converted = geminiSchema(schema)

  expect(JSON.stringify(converted).length).toBeLessThan(1024 * 1024)
  expect(converted["properties"]).toMatchObject({ root: { type: "object", properties: { p0: { type: "object" } } } })
})

it("takes no more of a schema that is deeper than any than can be read", () => {
  let schema: JSONObject = { type: "string" }
  for (let depth = 0; depth < 20_000; depth++) schema = { type: "object", properties: { a: schema } }

  expect(JSON.stringify(geminiSchema(schema)).length).toBeLessThan(1024 * 1024)
})
