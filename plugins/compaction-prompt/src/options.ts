import { z } from "zod"

const MOST_CHARACTERS = 64 * 1024

const text = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(MOST_CHARACTERS, `must be at most ${MOST_CHARACTERS} characters`)
const line = text.regex(/^[^\n]*$/, "must be one line")

const section = z.strictObject({
  /** Its heading. */
  title: line,
  /** What belongs in it. */
  content: text,
})

const wording = {
  /** In place of what a summarizer is asked for by default. */
  template: text.optional(),
  /** A file with such a template, absolute or in `directory`; what it says comes before `template`. False: none. */
  file: z.union([line, z.literal(false)], { error: "must be the path of a file, or false" }).optional(),
  /** Asked for besides. */
  sections: z.array(section).optional(),
}

const keepRule = z.strictObject({
  /** A regular expression for texts of messages; `^` and `$` mean lines. */
  pattern: line.refine(isExpression, "must be a regular expression"),
  /** Whose messages. */
  from: z.enum(["user", "assistant", "any"]).default("user"),
  /** The whole message with its tool calls, or the text that matches alone. */
  scope: z.enum(["message", "text"]).default("message"),
})

const schema = z.strictObject({
  ...wording,
  /** The same by agent: what is said here holds before the general, and its sections come behind. */
  agents: z.record(z.string(), z.strictObject(wording)).default({}),
  /** What stays word for word. */
  keep: z.array(keepRule).default([]),
  /** Where relative files lie. Absent: where the process works. */
  directory: line.optional(),
})

export type Options = z.input<typeof schema>
export type Settings = z.output<typeof schema>
export type KeepRule = z.output<typeof keepRule>
export type Section = z.output<typeof section>

/** Throws a TypeError that lists all that is wrong, a line for each. */
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
