import { describe, expect, it } from "vitest"
import { toolArguments } from "./tool-arguments.ts"

const query = {
  name: "query",
  inputSchema: {
    type: "object",
    properties: { sql: { type: "string" }, limit: { type: "integer" }, tags: { type: "array" }, note: {} },
    required: ["sql"],
    additionalProperties: false,
  },
}

describe("arguments of a call from the command line", () => {
  it.each([
    [["sql=select 1"], { sql: "select 1" }],
    [["sql=5", "limit=5"], { sql: "5", limit: 5 }],
    [["sql=a=b", 'tags=["x"]'], { sql: "a=b", tags: ["x"] }],
    [["sql=", "note=true"], { sql: "", note: true }],
    [["sql=", "note=a b"], { sql: "", note: "a b" }],
    [['{"sql": "select 1", "limit": 2}'], { sql: "select 1", limit: 2 }],
  ])("%j are read by the tool's schema", (words, args) => {
    expect(toolArguments(query, words)).toEqual(args)
  })

  it.each([
    [[], "query needs sql."],
    [["select"], '"select" is not of the form key=value.'],
    [["sql=a", "limit=many"], 'limit is to be integer, as JSON, and "many" is not.'],
    [["sql=a", "limt=1"], 'query takes no "limt". Did you mean limit?'],
    [["{sql}"], "The arguments are no JSON:"],
  ])("%j are refused", (words, message) => {
    expect(() => toolArguments(query, words)).toThrow(message)
  })

  it("may be anything where a tool says nothing of them", () => {
    expect(toolArguments({ name: "any", inputSchema: undefined }, ["a=1", "b=x"])).toEqual({ a: 1, b: "x" })
  })
})
