import type { CommandForm } from "../arguments/command.ts"
import { done, format } from "../command-options.ts"

export const configShowOptions = {
  origin: { summary: "show the file, line and column, or the variable, of each value" },
  dir: { value: "<directory>", summary: "directory to use (default: this one)" },
  ...format,
} as const

export const configShowForm = {
  usage: ["config show [options] [key]"],
  notes: [
    "Sources, lowest precedence first: your organization, your pawl.jsonc, the files of OPENCODE_CONFIG and of --config or " +
      "PAWL_CONFIG, the project's files from its root down to this directory, OPENCODE_CONFIG_CONTENT, PAWL_CONFIG_CONTENT. " +
      "If there is no pawl.jsonc, OpenCode's opencode.jsonc is read instead. Settings that need trust are omitted until the project is trusted.",
    "Keys and other secrets are masked; references to them are shown as written. With --origin, the list includes environment " +
      "variables that override the configuration.",
  ],
  words: { min: 0, max: 1 },
  options: configShowOptions,
  exitCodes: done,
  examples: [
    ["pawl config show", "all values, as one JSON document"],
    ["pawl config show --origin", "show where each value is set"],
    ["pawl config show permission.bash --origin", "show only the values below a key"],
    ["pawl config show model --format json", "print one JSON object per value"],
  ],
} as const satisfies CommandForm

export const configFilesOptions = {
  dir: { value: "<directory>", summary: "directory to use (default: this one)" },
  ...format,
} as const

export const configFilesForm = {
  usage: ["config files [options]"],
  notes: [
    "A later source overrides an earlier one. For the files of OpenCode and of an organization, the ignored keys are listed with the reason.",
  ],
  words: { min: 0, max: 0 },
  options: configFilesOptions,
  exitCodes: done,
  examples: [["pawl config files", "list the sources for this directory"]],
} as const satisfies CommandForm

export const configSchemaOptions = {} as const

export const configSchemaForm = {
  usage: ["config schema"],
  notes: ["The schema is JSON Schema draft 7. Editors use it to complete and check a pawl.jsonc."],
  words: { min: 0, max: 0 },
  options: configSchemaOptions,
  exitCodes: done,
  isForPrograms: true,
  examples: [["pawl config schema > pawl.schema.json", "save it for an editor"]],
} as const satisfies CommandForm
