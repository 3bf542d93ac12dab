import type { CommandForm } from "../arguments/command.ts"
import { done, format } from "../command-options.ts"

const dir = { dir: { value: "<directory>", summary: "directory to use (default: this one)" } } as const
const global = { global: { short: "g", summary: "use your own configuration instead of the project's" } } as const

export const pluginListOptions = { ...dir, ...format } as const
export const pluginAddOptions = {
  ...global,
  ...dir,
  options: { value: "<json>", summary: "options of the plugin, as a JSON object" },
  ...format,
} as const
export const pluginRemoveOptions = { ...global, ...dir } as const
export const pluginNewOptions = {} as const

const SPECS =
  "A plugin is an npm package (acme, acme@^1, @acme/x), a path (./mine.ts, ../plugins/mine), a file: URL, or a bundled plugin: " +
  "compaction-prompt, guard, notify, otel."

export const pluginListForm = {
  usage: ["plugin list [options]"],
  notes: ["No plugin is loaded, so untrusted plugins are listed too. To see what plugins do, use pawl plugin doctor."],
  words: { min: 0, max: 0 },
  options: pluginListOptions,
  exitCodes: done,
  examples: [["pawl plugin list", "list plugins, their sources and trust"]],
} as const satisfies CommandForm

export const pluginDoctorForm = {
  usage: ["plugin doctor [options] [name]"],
  notes: [
    "Starts the plugins of this directory without a session. Shows their hooks, tools and commands, how long each one takes to " +
      "start, and what fails. Plugins of an untrusted project are skipped.",
  ],
  words: { min: 0, max: 1 },
  options: pluginListOptions,
  exitCodes: { 0: "every plugin works", 1: "at least one plugin fails" },
  examples: [
    ["pawl plugin doctor", "check all plugins"],
    ["pawl plugin doctor acme --format json", "check one plugin and print JSON"],
  ],
} as const satisfies CommandForm

export const pluginAddForm = {
  usage: ["plugin add [options] <plugin>"],
  notes: [
    SPECS,
    "The plugin is installed and started once. If that fails, it is not added. npm does not run its scripts. A trusted project " +
      "stays trusted.",
  ],
  words: { min: 1, max: 1, missing: "missing plugin: pawl plugin add <package or path>" },
  options: pluginAddOptions,
  exitCodes: done,
  examples: [
    ["pawl plugin add ./tools/ticket.ts", "add a file to this project"],
    ["pawl plugin add --global acme@^1", "add a package to your configuration"],
    ["pawl plugin add notify -g --options '{\"after\": 60}'", "add a bundled plugin with options"],
  ],
} as const satisfies CommandForm

export const pluginRemoveForm = {
  usage: ["plugin remove [options] <plugin>"],
  words: { min: 1, max: 1, missing: "missing plugin; list them: pawl plugin list" },
  options: pluginRemoveOptions,
  exitCodes: done,
  examples: [["pawl plugin remove acme", "remove any version of acme"]],
} as const satisfies CommandForm

export const pluginUpdateForm = {
  usage: ["plugin update [options] [name]"],
  notes: [
    "A package keeps its installed version until this command updates it. Running sessions keep the old version. If a package " +
      "of a trusted project changes, trust the project again.",
  ],
  words: { min: 0, max: 1 },
  options: pluginListOptions,
  exitCodes: done,
  examples: [["pawl plugin update", "update every configured package"]],
} as const satisfies CommandForm

export const pluginNewForm = {
  usage: ["plugin new <name>"],
  notes: ["Creates a directory with a plugin in TypeScript: a tool, a guard and passing tests. It needs no build."],
  words: { min: 1, max: 1, missing: "missing name: pawl plugin new <name>" },
  options: pluginNewOptions,
  exitCodes: done,
  examples: [["pawl plugin new ticket && cd ticket && npm install && npm test", "create and test a plugin"]],
} as const satisfies CommandForm
