import type { Choice } from "@pawl/core/tool"

/** A field that a server asks for, in the protocol's restricted schema. */
export interface FormField {
  readonly name: string
  readonly isRequired: boolean
  readonly schema: Readonly<Record<string, unknown>>
}

export type FormValue = string | number | boolean | string[]

interface Option {
  readonly value: string
  readonly label: string
}

const MAX_HEADER_LENGTH = 30

export function formFields(schema: unknown): readonly FormField[] {
  const { properties, required } = (schema ?? {}) as { readonly properties?: unknown; readonly required?: unknown }
  const names = Array.isArray(required) ? (required as unknown[]) : []
  return Object.entries((properties ?? {}) as Record<string, Record<string, unknown>>).map(([name, field]) => {
    return { name, isRequired: names.includes(name), schema: field }
  })
}

/** Converts a field to a question for the user. */
export function fieldQuestion(message: string, field: FormField): Choice {
  const { schema, name, isRequired } = field
  const description = words(schema["description"])
  const fallback = schema["default"] === undefined ? "" : ` (default: ${JSON.stringify(schema["default"])})`
  const optional = isRequired ? "" : " (optional)"
  const options = optionsOf(schema)
  return {
    header: (words(schema["title"]) || name).slice(0, MAX_HEADER_LENGTH),
    question: [message, `${description || words(schema["title"]) || name}${optional}${fallback}`].join("\n"),
    options: options.map(({ label, value }) => ({ label, description: label === value ? "" : value })),
    ...(schema["type"] === "array" ? { multiple: true } : {}),
    custom: options.length === 0,
  }
}

/** Converts an answer to the field's value; undefined if the answer is empty. Throws if the value is invalid. */
export function fieldValue({ name, schema, isRequired }: FormField, chosen: readonly string[]): FormValue | undefined {
  const given = chosen.filter((answer) => answer !== "")
  if (given.length === 0) {
    const fallback = schema["default"] as FormValue | undefined
    if (fallback === undefined && isRequired) throw new RangeError(`"${name}" needs an answer.`)
    return fallback
  }
  const options = optionsOf(schema)
  const values = given.map((label) => options.find((option) => option.label === label)?.value ?? label)
  const [value = ""] = values
  switch (schema["type"]) {
    case "array":
      return values
    case "boolean":
      return value === "true"
    case "integer":
    case "number":
      return toNumber(name, value, schema["type"] === "integer")
    default:
      return value
  }
}

function toNumber(name: string, text: string, isWhole: boolean): number {
  const number = Number(text)
  if (!Number.isFinite(number) || (isWhole && !Number.isInteger(number))) {
    throw new RangeError(`"${name}" needs a ${isWhole ? "whole " : ""}number, not "${text}".`)
  }
  return number
}

function optionsOf(schema: Readonly<Record<string, unknown>>): readonly Option[] {
  if (schema["type"] === "boolean") {
    return [
      { value: "true", label: "Yes" },
      { value: "false", label: "No" },
    ]
  }
  const { enum: values, enumNames, oneOf, anyOf } = (schema["items"] ?? schema) as Readonly<Record<string, unknown>>
  const titled = oneOf ?? anyOf
  if (Array.isArray(titled)) {
    return (titled as { const?: unknown; title?: unknown }[]).map(({ const: value, title }) => {
      return { value: String(value), label: words(title) || String(value) }
    })
  }
  if (!Array.isArray(values)) return []
  const labels = Array.isArray(enumNames) ? (enumNames as unknown[]) : []
  return (values as unknown[]).map((value, at) => ({ value: String(value), label: words(labels[at]) || String(value) }))
}

function words(value: unknown): string {
  return typeof value === "string" ? value : ""
}
