import { z } from "zod"

const MAX_CHARACTERS = 64 * 1024

const text = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(MAX_CHARACTERS, `must be at most ${MAX_CHARACTERS} characters`)
const line = text.regex(/^[^\n]*$/, "must be one line")

const section = z.strictObject({
  /** Heading of the section. */
  title: line,
  /** Description of the section's content. */
  content: text,
})

const wording = {
  /** Replaces the default instructions for the summary. */
  template: text.optional(),
  /** File with a template, absolute or in `directory`. It overrides `template`. False disables it. */
  file: z.union([line, z.literal(false)], { error: "must be the path of a file, or false" }).optional(),
  /** Additional sections. */
  sections: z.array(section).optional(),
}

const keepRule = z.strictObject({
  /** A regular expression for message texts. `^` and `$` match at lines. */
  pattern: line.refine(isExpression, "must be a regular expression"),
  /** The author of the messages. */
  from: z.enum(["user", "assistant", "any"]).default("user"),
  /** `message` keeps the whole message with its tool calls, `text` only the matching text. */
  scope: z.enum(["message", "text"]).default("message"),
})

const schema = z.strictObject({
  ...wording,
  /** Options per agent. They override the general ones, and their sections follow the general ones. */
  agents: z.record(z.string(), z.strictObject(wording)).default({}),
  /** Rules for messages that stay unchanged. */
  keep: z.array(keepRule).default([]),
  /** Base of relative files. Default: the working directory of the process. */
  directory: line.optional(),
})

export type Options = z.input<typeof schema>
export type Settings = z.output<typeof schema>
export type KeepRule = z.output<typeof keepRule>
export type Section = z.output<typeof section>

/** Throws a TypeError that lists all problems, one per line. */
export function readOptions(options: unknown): Settings {
  const read = schema.safeParse(options)
  if (read.success) return read.data
  const lines = read.error.issues.map((issue) => `- ${describe(issue)}`)
  throw new TypeError(`The options of compaction-prompt cannot be used:\n${lines.join("\n")}`)
}

function describe(issue: z.core.$ZodIssue): string {
  const place = z.core.toDotPath(issue.path)
  if (issue.code !== "unrecognized_keys") return `${place || "options"}: ${issue.message}`
  const names = issue.keys.map((key) => `"${key}"`).join(", ")
  return `${place || "options"}: ${names} is not known; see the README for what is`
}

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern, "mu") instanceof RegExp
  } catch {
    return false
  }
}
