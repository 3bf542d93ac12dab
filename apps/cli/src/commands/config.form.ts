import type { CommandForm } from "../arguments/command.ts"
import { done, format } from "../command-options.ts"

export const configShowOptions = {
  origin: { summary: "each value with the file, line and column, or the variable, that it comes from" },
  dir: { value: "<directory>", summary: "there instead of here" },
  ...format,
} as const

export const configShowForm = {
  usage: ["config show [options] [key]"],
  notes: [
    "What counts here, after all files, variables and their order. Lowest first: your organization, your pawl.jsonc, the files of " +
      "OPENCODE_CONFIG and of --config or PAWL_CONFIG, the project's files from its root down to here, OPENCODE_CONFIG_CONTENT, " +
      "PAWL_CONFIG_CONTENT. Where there is no pawl.jsonc, OpenCode's opencode.jsonc counts in its place. What a project may not do until it is trusted is left out.",
    "Keys and other secrets are not shown, references to them as they are written. With --origin, variables that go before the " +
      "configuration are among the values.",
  ],
  words: { min: 0, max: 1 },
  options: configShowOptions,
  exitCodes: done,
  examples: [
    ["pawl config show", "all of it, as one JSON document"],
    ["pawl config show --origin", "which file says what"],
    ["pawl config show permission.bash --origin", "only what is below a key"],
    ["pawl config show model --format json", "for a script: one JSON object a value"],
  ],
} as const satisfies CommandForm

export const configFilesOptions = {
  dir: { value: "<directory>", summary: "there instead of here" },
  ...format,
} as const

export const configFilesForm = {
  usage: ["config files [options]"],
  notes: [
    "The sources that were read, in their order: a later one has the last word. Below those of OpenCode and of an organization " +
      "stands what pawl leaves out of them, and why.",
  ],
  words: { min: 0, max: 0 },
  options: configFilesOptions,
  exitCodes: done,
  examples: [["pawl config files", "what is read here"]],
} as const satisfies CommandForm

export const configSchemaOptions = {} as const

export const configSchemaForm = {
  usage: ["config schema"],
  notes: ["JSON Schema, draft 7. Editors complete and check a pawl.jsonc with it."],
  words: { min: 0, max: 0 },
  options: configSchemaOptions,
  exitCodes: done,
  isForPrograms: true,
  examples: [["pawl config schema > pawl.schema.json", "for an editor"]],
} as const satisfies CommandForm
