import type { JSONObject } from "@pawl/core/tool"
import { ToolInputError } from "@pawl/core/tool"
import en from "zod/v4/locales/en.js"
import * as z from "zod/mini"
import { firstCharacters } from "./characters.ts"
import { displayName } from "./display-name.ts"

/** Maximum number of unknown parameter names that an error lists. */
const MAX_UNKNOWN_NAMES = 5
const MAX_NAME_LENGTH = 60

/** A parameter of a tool: JSON Schema for the model, validator for its calls. */
export interface Field<T> {
  readonly json: JSONObject
  readonly isOptional: boolean
  zod(): z.ZodMiniType<T>
  /**
   * Corrects a value of a wrong type if its meaning is clear, such as `"12"` for 12; returns any other value unchanged.
   */
  read?(value: unknown): unknown
}

type Fields = Readonly<Record<string, Field<unknown>>>
type OptionalName<F extends Fields> = { [N in keyof F]: undefined extends ValueOf<F[N]> ? N : never }[keyof F]
type ValueOf<F> = F extends Field<infer T> ? T : never
type InputOf<F extends Fields> = { -readonly [N in Exclude<keyof F, OptionalName<F>>]: ValueOf<F[N]> } & {
  -readonly [N in OptionalName<F>]?: ValueOf<F[N]>
}

export interface ToolInput<Input> {
  readonly inputSchema: JSONObject
  /** Throws ToolInputError that names the tool and each invalid field. */
  parse(input: unknown): Input
}

/**
 * Builds both forms of a tool's parameters. The JSON Schema is built at once, because every request contains it. The
 * validator is built on the first call, because building it takes longer than the rest of starting a session.
 */
export function toolInput<F extends Fields>(name: string, fields: F): ToolInput<InputOf<F>> {
  const entries = Object.entries(fields)
  let schema: z.ZodMiniObject | undefined
  return {
    inputSchema: objectSchema(entries),
    parse(input) {
      schema ??= z.object(validators(entries))
      // zod/mini has no default language, and its configuration is global to the process.
      const result = schema.safeParse(input, { error: en().localeError })
      if (result.success) return result.data as InputOf<F>
      const detail = result.error.issues.map(({ path, message }) => [...path, message].join(": ")).join("; ")
      throw new ToolInputError(
        `The ${name} tool was called with invalid arguments: ${detail}.\n${unknownNames(input, fields)}` +
          "Please rewrite the input so it satisfies the expected schema.",
      )
    },
  }
}

/** Text for the operating system, which ends strings at a NUL. */
export function textField(description: string): Field<string> {
  return {
    json: { type: "string", minLength: 1, description },
    isOptional: false,
    zod: () =>
      z.string().check(
        z.minLength(1),
        z.refine((text) => !text.includes("\0"), "must not contain a NUL character"),
      ),
  }
}

/** Like `textField`, but rejects half of a surrogate pair, which the system would replace. */
export function commandField(description: string): Field<string> {
  const field = textField(description)
  const zod = () => field.zod().check(z.refine((text) => text.isWellFormed(), HALF_A_CHARACTER))
  return { ...field, zod }
}

const HALF_A_CHARACTER = "must not contain half a character"

/** Any text, also an empty one. Rejects half of a surrogate pair, which cannot be encoded. */
export function contentField(description: string): Field<string> {
  return {
    json: { type: "string", description },
    isOptional: false,
    zod: () => z.string().check(z.refine((text) => text.isWellFormed(), HALF_A_CHARACTER)),
  }
}

export function countField(description: string): Field<number> {
  const json = { type: "integer", minimum: 1, description }
  return { json, isOptional: false, zod: () => z.int().check(z.minimum(1)), read: fromDigits }
}

export function flagField(description: string): Field<boolean> {
  return { json: { type: "boolean", description }, isOptional: false, zod: () => z.boolean(), read: fromWord }
}

export interface ListBounds {
  readonly min?: number
  readonly max?: number
}

export function listField<T>(item: Field<T>, description: string, { min, max }: ListBounds = {}): Field<T[]> {
  const bounds = { ...(min === undefined ? {} : { minItems: min }), ...(max === undefined ? {} : { maxItems: max }) }
  return {
    json: { type: "array", items: item.json, ...bounds, description },
    isOptional: false,
    zod: () => {
      const checks = [
        ...(min === undefined ? [] : [z.minLength(min)]),
        ...(max === undefined ? [] : [z.maxLength(max)]),
      ]
      return z.array(item.zod()).check(...checks)
    },
  }
}

export function choiceField<const T extends string>(options: readonly T[], description: string): Field<T> {
  return { json: { type: "string", enum: [...options], description }, isOptional: false, zod: () => z.enum(options) }
}

export function objectField<F extends Fields>(fields: F, description: string): Field<InputOf<F>> {
  const entries = Object.entries(fields)
  return {
    json: { ...objectSchema(entries), description },
    isOptional: false,
    zod: () => z.object(validators(entries)) as unknown as z.ZodMiniType<InputOf<F>>,
  }
}

export function optional<T>(field: Field<T>): Field<T | undefined> {
  return { ...field, isOptional: true }
}

function objectSchema(entries: readonly [string, Field<unknown>][]): JSONObject {
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([field, { json }]) => [field, json])),
    ...requiredOf(entries),
    additionalProperties: false,
  }
}

function validators(entries: readonly [string, Field<unknown>][]): Record<string, z.ZodMiniType> {
  return Object.fromEntries(entries.map(([field, each]) => [field, validator(each)]))
}

function validator(field: Field<unknown>): z.ZodMiniType {
  const read = (value: unknown) => (field.read ? field.read(value) : value)
  if (!field.isOptional) return z.pipe(z.transform(read), field.zod())
  // Some models set optional fields to null.
  const parsed = z.transform((value) => (value === null ? undefined : read(value)))
  return z.optional(z.pipe(parsed, z.optional(field.zod())))
}

/** Converts `"12"` to 12. */
export function fromDigits(value: unknown): unknown {
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value
}

/** Converts `"true"` to true. */
function fromWord(value: unknown): unknown {
  return value === "true" || value === "false" ? value === "true" : value
}

/** Lists unknown names instead of guessing the intended ones, because guards read the model's arguments unchanged. */
function unknownNames(input: unknown, fields: Fields): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return ""
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(fields, name))
  if (unknown.length === 0) return ""
  const shown = unknown.slice(0, MAX_UNKNOWN_NAMES).map((name) => displayName(firstCharacters(name, MAX_NAME_LENGTH)))
  return `There is no parameter ${shown.join(", ")}. The parameters are: ${Object.keys(fields).join(", ")}.\n`
}

function requiredOf(entries: readonly [string, Field<unknown>][]): { required?: string[] } {
  const required = entries.filter(([, { isOptional }]) => !isOptional).map(([field]) => field)
  return required.length > 0 ? { required } : {}
}
