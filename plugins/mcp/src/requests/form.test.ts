import { describe, expect, it } from "vitest"
import { fieldQuestion, fieldValue, type FormField, formFields } from "./form.ts"

const field = (schema: object, isRequired = true): FormField => ({ name: "f", isRequired, schema: { ...schema } })

describe("a form's field", () => {
  it("is asked with its title, description, default and choices", () => {
    const [first, second] = formFields({
      properties: {
        n: { type: "string", title: "Name", description: "Your name" },
        c: { enum: ["a", "b"], enumNames: ["A", "B"] },
      },
      required: ["n"],
    })

    expect(fieldQuestion("Who?", first as FormField)).toEqual({
      header: "Name",
      question: "Who?\nYour name",
      options: [],
      custom: true,
    })
    expect(fieldQuestion("Who?", second as FormField)).toMatchObject({
      question: "Who?\nc (optional)",
      options: [
        { label: "A", description: "a" },
        { label: "B", description: "b" },
      ],
      custom: false,
    })
  })

  it.each([
    [{ type: "string" }, ["x"], "x"],
    [{ type: "integer" }, ["5"], 5],
    [{ type: "number" }, ["1.5"], 1.5],
    [{ type: "boolean" }, ["No"], false],
    [{ type: "boolean" }, ["Yes"], true],
    [{ enum: ["r"], enumNames: ["Red"] }, ["Red"], "r"],
    [{ oneOf: [{ const: "g", title: "Green" }] }, ["Green"], "g"],
    [{ type: "array", items: { enum: ["a", "b"] } }, ["a", "b"], ["a", "b"]],
    [{ type: "array", items: { anyOf: [{ const: "a", title: "A" }] } }, ["A"], ["a"]],
    [{ type: "integer", default: 7 }, [], 7],
    [{ type: "boolean", default: false }, [""], false],
  ])("%j answered %j is %j", (schema, chosen, value) => {
    expect(fieldValue(field(schema), chosen)).toEqual(value)
  })

  it("is refused where the answer does not fit", () => {
    expect(() => fieldValue(field({ type: "integer" }), ["1.5"])).toThrow('"f" needs a whole number, not "1.5".')
    expect(() => fieldValue(field({ type: "string" }), [])).toThrow('"f" needs an answer.')
    expect(fieldValue(field({ type: "string" }, false), [])).toBeUndefined()
  })
})
