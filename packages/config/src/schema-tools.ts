import { z } from "zod"
import { flag, form, list, milliseconds, modelRef, object, oneOf, table, text } from "./schema-values.ts"

const program = list(text).min(1, { error: "must name a program" })
const extensions = list(form(/^\.?[^\s./\\*?][^\s/\\*?]*$/, 'a file name\'s ending, such as ".ts"')).describe(
  "File name endings it applies to. Default: all files.",
)

const formatter = object({
  command: program
    .refine((words) => words.some((word) => word.includes("$FILE")), { error: 'must hold "$FILE" in one of its words' })
    .describe("A program and its arguments. $FILE is the file.")
    .exactOptional(),
  extensions: extensions.exactOptional(),
  environment: table(text).describe("Variables that it gets besides.").exactOptional(),
  disabled: flag.describe("Disables it.").exactOptional(),
}).refine(({ command: written, disabled }) => written !== undefined || disabled !== undefined, {
  error: 'must have a "command", or "disabled"',
  // If a key is misspelt, only that is reported.
  when: ({ issues }) => issues.length === 0,
})

export const formatters = z
  .union([z.literal(false), table(formatter)], { error: "must be false or an object of formatters" })
  .describe("Programs that put a file in order after each edit, by name; false for none.")

export const checks = table(
  object({
    command: program.describe("A program and its arguments. $FILE is the edited file; without it, all is checked."),
    extensions: extensions.exactOptional(),
    timeout_ms: milliseconds
      .describe("After which it is stopped, in milliseconds; 0 for never. Default: 60000.")
      .exactOptional(),
  }),
).describe("Programs whose complaints about an edited file the model gets to read, by name.")

const bubblewrap = object({
  type: oneOf(["bwrap"]),
  network: flag.describe("Allow commands to use the network. Default: false.").exactOptional(),
  writable: list(text).describe("Directories that may be written besides the project.").exactOptional(),
  sockets: list(text)
    .describe(
      "Sockets of other programs that commands may use, such as /run/postgresql, or directories of them. Default: none.",
    )
    .exactOptional(),
})

export const sandbox = z
  .union([z.literal(false), z.literal("bwrap"), bubblewrap], {
    error: 'must be false, "bwrap" or an object with the type "bwrap"',
  })
  .describe("Sandbox for shell commands. In bubblewrap, on Linux, they can write to the project only. Default: false.")

const host = form(
  /^(?:(?:\*\.)?[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i,
  'a host, such as "localhost:8080"',
)

export const webfetch = object({
  allow: list(host)
    .describe("Hosts that may be fetched from though they are private, such as localhost.")
    .exactOptional(),
}).describe("Restrictions on fetching from the web.")

export const environmentNames = list(form(/^[A-Za-z_]\w*$/, "the name of an environment variable")).describe(
  "Environment variables that programs started here get besides the harmless ones.",
)

export const command = object({
  template: text.describe("The prompt: $1, $ARGUMENTS, @file and !`command` are replaced."),
  description: text.describe("Description for lists.").exactOptional(),
  agent: text.describe("The agent that answers.").exactOptional(),
  model: modelRef.describe("provider/model").exactOptional(),
  variant: text.describe("The variant of the model, such as a reasoning effort.").exactOptional(),
  subtask: flag.describe("A subagent answers, in its own session.").exactOptional(),
})
