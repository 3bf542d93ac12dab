import { ToolInputError } from "@pawl/core/tool"
import { expect, it } from "vitest"
import * as z from "zod/mini"
import {
  choiceField,
  commandField,
  contentField,
  countField,
  type Field,
  flagField,
  listField,
  objectField,
  optional,
  textField,
  toolInput,
} from "./tool-input.ts"

const input = toolInput("read", { filePath: textField("The file"), limit: optional(countField("How many")) })

it("describes the parameters as plain JSON Schema", () => {
  expect(input.inputSchema).toEqual({
    type: "object",
    properties: {
      filePath: { type: "string", minLength: 1, description: "The file" },
      limit: { type: "integer", minimum: 1, description: "How many" },
    },
    required: ["filePath"],
    additionalProperties: false,
  })
})

const fields = [
  ...[textField("d"), contentField("d"), countField("d"), flagField("d"), choiceField(["a", "b"], "d")],
  ...[listField(textField("d"), "d"), listField(flagField("d"), "d", { min: 1, max: 4 })],
]

it.each<Field<unknown>>(fields)("tells the model what its validator checks: %j", (field) => {
  const { $schema: _, maximum: __, ...schema } = z.toJSONSchema(field.zod().check(z.describe("d")))
  const items = schema.items === undefined ? {} : { items: { ...(schema.items as object), description: "d" } }
  expect(field.json).toEqual({ ...schema, ...items })
})

it("returns input that fits", () => {
  expect(input.parse({ filePath: "a.txt", limit: 3 })).toEqual({ filePath: "a.txt", limit: 3 })
})

it.each([
  [
    { filePath: "a", limit: "3", all: "true" },
    { filePath: "a", limit: 3, all: true },
  ],
  [{ filePath: "a", limit: null, all: null }, { filePath: "a" }],
  [
    { filePath: "a", all: "false", edits: [{ from: "b", count: "2", to: null }] },
    { filePath: "a", all: false, edits: [{ from: "b", count: 2 }] },
  ],
])("reads what models write for it: %j", (given, expected) => {
  const edit = objectField(
    { from: textField("Old"), count: countField("Times"), to: optional(textField("New")) },
    "An edit",
  )
  const lenient = toolInput("read", {
    filePath: textField("The file"),
    limit: optional(countField("How many")),
    all: optional(flagField("All of them")),
    edits: optional(listField(edit, "Edits")),
  })
  expect(JSON.parse(JSON.stringify(lenient.parse(given)))).toEqual(expected)
})

it("names parameters that there are not, and those that there are", () => {
  expect(() => input.parse({ file_path: "a", "odd\nname": 1 })).toThrow(
    "filePath: Invalid input: expected string, received undefined.\n" +
      "There is no parameter file_path, odd\\nname. The parameters are: filePath, limit.\nPlease rewrite",
  )
})

it("takes no half of a character for a command", () => {
  const bash = toolInput("bash", { command: commandField("Text") })
  expect(bash.parse({ command: "echo \u{1F600}" })).toEqual({ command: "echo \u{1F600}" })
  expect(() => bash.parse({ command: "echo \ud83d" })).toThrow("command: must not contain half a character")
  expect(() => bash.parse({ command: "" })).toThrow("command: Too small")
})

it("takes no half of a character for content", () => {
  const write = toolInput("write", { content: contentField("Text") })
  expect(write.parse({ content: "\u{1F600}" })).toEqual({ content: "\u{1F600}" })
  expect(() => write.parse({ content: "\ud83d" })).toThrow("content: must not contain half a character")
})

it.each([
  [{}, "filePath: Invalid input: expected string, received undefined"],
  [{ filePath: "a", limit: 0 }, "limit: Too small: expected number to be >=1"],
  [{ filePath: null }, "filePath: Invalid input: expected string, received null"],
  [{ filePath: "a", limit: "many" }, "limit: Invalid input: expected number, received string"],
  [{ filePath: "a", limit: 1.5 }, "limit: Invalid input: expected int, received number"],
  [{ filePath: "a\0b" }, "filePath: must not contain a NUL character"],
  ["a", "Invalid input: expected object, received string"],
])("names what does not fit in %j", (value, detail) => {
  const parse = () => input.parse(value)
  expect(parse).toThrow(ToolInputError)
  expect(parse).toThrow(
    `The read tool was called with invalid arguments: ${detail}.\n` +
      "Please rewrite the input so it satisfies the expected schema.",
  )
})

it("describes and checks objects in lists, and names the place in them that does not fit", () => {
  const edit = objectField({ from: textField("Old"), to: optional(textField("New")) }, "An edit")
  const edits = toolInput("edits", { edits: listField(edit, "All of them", { min: 1 }) })

  expect(edits.inputSchema["properties"]).toEqual({
    edits: { type: "array", minItems: 1, items: edit.json, description: "All of them" },
  })
  expect(edit.json).toMatchObject({ type: "object", required: ["from"], additionalProperties: false })
  expect(edits.parse({ edits: [{ from: "a" }, { from: "b", to: "c" }] })).toEqual({
    edits: [{ from: "a" }, { from: "b", to: "c" }],
  })
  expect(() => edits.parse({ edits: [{ from: "a" }, { to: "c" }] })).toThrow("invalid arguments: edits: 1: from")
  expect(() => edits.parse({ edits: [] })).toThrow("invalid arguments: edits")
})
