import type { CommandForm } from "../arguments/command.ts"
import { done, format } from "../command-options.ts"

const dir = { dir: { value: "<directory>", summary: "for that directory instead of this one" } } as const
const global = { global: { short: "g", summary: "in your own configuration instead of the project's" } } as const

export const pluginListOptions = { ...dir, ...format } as const
export const pluginAddOptions = {
  ...global,
  ...dir,
  options: { value: "<json>", summary: "the plugin's options, as a JSON object" },
  ...format,
} as const
export const pluginRemoveOptions = { ...global, ...dir } as const
export const pluginNewOptions = {} as const

const SPECS =
  "A plugin is a package that npm installs (acme, acme@^1, @acme/x), a path (./mine.ts, ../plugins/mine), a file: URL, or one " +
  "of pawl's own: compaction-prompt, guard, notify, otel."

export const pluginListForm = {
  usage: ["plugin list [options]"],
  notes: ["Nothing is loaded: what is not trusted stands here too. What plugins do: pawl plugin doctor."],
  words: { min: 0, max: 0 },
  options: pluginListOptions,
  exitCodes: done,
  examples: [["pawl plugin list", "what there is, from where, and whether it is trusted"]],
} as const satisfies CommandForm

export const pluginDoctorForm = {
  usage: ["plugin doctor [options] [name]"],
  notes: [
    "Loads and starts the plugins of this directory without a session: what they hook, which tools and commands they give, " +
      "how long that takes, and what fails. A project's are left out unless it is trusted.",
  ],
  words: { min: 0, max: 1 },
  options: pluginListOptions,
  exitCodes: { 0: "all of them work", 1: "at least one does not" },
  examples: [
    ["pawl plugin doctor", "all of them"],
    ["pawl plugin doctor acme --format json", "one, for a script"],
  ],
} as const satisfies CommandForm

export const pluginAddForm = {
  usage: ["plugin add [options] <plugin>"],
  notes: [
    SPECS,
    "It is installed, loaded and started once, so that what cannot work is not written down. npm runs no scripts of it. " +
      "A project that was trusted stays so with it.",
  ],
  words: { min: 1, max: 1, missing: "Which plugin? pawl plugin add <package or path>" },
  options: pluginAddOptions,
  exitCodes: done,
  examples: [
    ["pawl plugin add ./tools/ticket.ts", "a file, for everyone who works on this project"],
    ["pawl plugin add --global acme@^1", "a package, for you, everywhere"],
    ["pawl plugin add notify -g --options '{\"after\": 60}'", "one of pawl's own, with options"],
  ],
} as const satisfies CommandForm

export const pluginRemoveForm = {
  usage: ["plugin remove [options] <plugin>"],
  words: { min: 1, max: 1, missing: "Which plugin? pawl plugin list shows them." },
  options: pluginRemoveOptions,
  exitCodes: done,
  examples: [["pawl plugin remove acme", "whatever its version"]],
} as const satisfies CommandForm

export const pluginUpdateForm = {
  usage: ["plugin update [options] [name]"],
  notes: [
    "A package stays what it was when it was installed until this asks npm again. What runs goes on with the version that it has. " +
      "A project that trusts a package has to be trusted anew when that changes.",
  ],
  words: { min: 0, max: 1 },
  options: pluginListOptions,
  exitCodes: done,
  examples: [["pawl plugin update", "every package that is named here"]],
} as const satisfies CommandForm

export const pluginNewForm = {
  usage: ["plugin new <name>"],
  notes: ["Makes a directory with a plugin in TypeScript: a tool, a guard, tests that pass. It needs no build."],
  words: { min: 1, max: 1, missing: "What is it called? pawl plugin new <name>" },
  options: pluginNewOptions,
  exitCodes: done,
  examples: [["pawl plugin new ticket && cd ticket && npm install && npm test", "from nothing to a tested plugin"]],
} as const satisfies CommandForm
