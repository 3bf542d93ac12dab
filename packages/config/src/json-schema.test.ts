import { expect, it } from "vitest"
import { jsonSchema } from "./json-schema.ts"

it("describes the file for editors: known keys, no others, comments allowed", async () => {
  const schema = await jsonSchema()
  expect(schema).toMatchObject({
    $schema: expect.stringContaining("draft-07") as string,
    type: "object",
    additionalProperties: false,
    allowComments: true,
    properties: {
      model: { type: "string" },
      provider: { additionalProperties: { properties: { options: { additionalProperties: false } } } },
      instructions: { type: "array", items: { type: "string" } },
      sandbox: { anyOf: [{ const: false }, { const: "bwrap" }, { type: "object", required: ["type"] }] },
      formatter: { anyOf: [{ const: false }, { additionalProperties: { additionalProperties: false } }] },
      command: { additionalProperties: { required: ["template"] } },
      tools: { deprecated: true },
      fallback: { type: "array", items: { type: "string" } },
      retry: { additionalProperties: false, properties: { attempts: { type: "integer" }, total_ms: {}, delay_ms: {} } },
      agent: { additionalProperties: { properties: { fallback: { type: "array", items: { type: "string" } } } } },
      tool_output: { properties: { max_lines: { type: "integer" } } },
      compaction: { properties: { soft: { maximum: 1 }, models: { additionalProperties: { type: "object" } } } },
    },
  })
  expect(schema).not.toHaveProperty("required")
})

it("is plain JSON, the same each time", async () => {
  const schema = await jsonSchema()
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
  expect(await jsonSchema()).toEqual(schema)
})
