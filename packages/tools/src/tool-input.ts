import type { JSONObject } from "@pawl/core"
import { ToolInputError } from "@pawl/core"
import en from "zod/v4/locales/en.js"
import * as z from "zod/mini"

export interface ToolInput<Input> {
  readonly inputSchema: JSONObject
  /** Throws ToolInputError naming the tool and each field that does not fit. */
  parse(input: unknown): Input
}

// zod/mini speaks no language by itself. The texts go with each call, since its configuration is shared by the process.
const { localeError } = en()

/** The two forms of a tool's parameters: JSON Schema for the model, a validating parser for its calls. */
export function toolInput<Schema extends z.ZodMiniType>(
  name: string,
  schema: Schema,
): ToolInput<z.output<Schema> & object> {
  return {
    inputSchema: toInputSchema(schema),
    parse(input) {
      const result = schema.safeParse(input, { error: localeError })
      if (result.success) return result.data as z.output<Schema> & object
      const detail = result.error.issues.map(({ path, message }) => [...path, message].join(": ")).join("; ")
      throw new ToolInputError(
        `The ${name} tool was called with invalid arguments: ${detail}.\n` +
          "Please rewrite the input so it satisfies the expected schema.",
      )
    },
  }
}

/** Text that goes to the operating system, which ends strings at a NUL. */
export function textField(description: string): z.ZodMiniString {
  return z.string().check(
    z.minLength(1),
    z.refine((text) => !text.includes("\0"), "must not contain a NUL character"),
    z.describe(description),
  )
}

/** A positive whole number. */
export function countField(description: string): z.ZodMiniNumber {
  return z.int().check(z.minimum(1), z.describe(description))
}

function toInputSchema(schema: z.ZodMiniType): JSONObject {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, {
    override({ jsonSchema }) {
      // Said of each whole number, and paid with each request.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return JSON.parse(JSON.stringify(plain)) as JSONObject
}
