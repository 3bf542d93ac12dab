import type { z } from "zod"
import type { Finding, Locate } from "../finding.ts"
import type { KeyPath } from "../key-path.ts"
import { suggestion } from "../suggestion.ts"
import { validate } from "../validate.ts"
import type { FoundFile } from "./find-files.ts"

/** A parsed file with front matter. */
export interface Markdown {
  readonly found: FoundFile
  /** Without keys that have no value. */
  readonly values: Readonly<Record<string, unknown>>
  readonly body: string
  readonly locate: Locate
}

/** A definition, or undefined if the file has errors. `notices` do not make it invalid. */
export interface Defined<Value> {
  readonly definition?: Value
  readonly errors: readonly Finding[]
  readonly notices: readonly Finding[]
}

/** Returns the values of the keys in the schema. Each other key is a notice. */
export function checkedValues<Shape extends z.core.$ZodLooseShape>(
  { values, locate }: Markdown,
  schema: z.ZodObject<Shape>,
): { values: z.infer<z.ZodObject<Shape>>; errors: Finding[]; notices: Finding[] } {
  const known = Object.entries(values).filter(([key]) => Object.hasOwn(schema.shape, key) || key === "__proto__")
  const unknown = Object.keys(values).filter((key) => !known.some(([name]) => name === key))
  const value = Object.fromEntries(known)
  const as = { schema, name: "The front matter" }
  return {
    values: value as z.infer<z.ZodObject<Shape>>,
    errors: validate(value, { written: value, locate, as }),
    notices: unknown.map((key) => {
      const near = suggestion(key, Object.keys(schema.shape))
      const next = near === undefined ? "Remove it." : `Did you mean ${JSON.stringify(near)}?`
      return at([key], `The key ${JSON.stringify(key.slice(0, 60))} does nothing here. ${next}`, locate, "key")
    }),
  }
}

/** Returns a value if it is a string. Other values are ignored, since files of other programs may contain anything. */
export function textOf({ values }: Markdown, key: string): string | undefined {
  const value = values[key]
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
}

export function at(path: KeyPath, message: string, locate: Locate, part: "key" | "value" = "value"): Finding {
  return { path, message, position: locate(path, part) }
}
