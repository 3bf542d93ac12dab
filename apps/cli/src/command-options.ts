/** Which model to use and how to reach it: the same for every command that asks one. */
const modelOptions = {
  model: { short: "m", value: "<provider/model>", summary: "the model to use" },
  "base-url": { value: "<url>", summary: "where the provider's OpenAI-compatible API begins" },
  "api-key-env": { value: "<NAME>", summary: "the environment variable that holds the key" },
  script: { value: "<file>", summary: "play the model from a script instead of asking one" },
} as const

const FORMAT = "how to print: for people, or one JSON object a line"

const format = { format: { value: "<format>", choices: ["text", "json"], summary: FORMAT } } as const

/** Where the sessions are: of every command that reads or writes them. */
export const storageOptions = {
  storage: { value: "<url>", summary: "the sessions stored there instead of in your usual place" },
} as const

export const formattedStorageOptions = { ...storageOptions, ...format } as const

export const runOptions = {
  ...modelOptions,
  ...storageOptions,
  continue: { short: "c", summary: "go on with the newest session of this directory" },
  session: { short: "s", value: "<id>", summary: "go on with this session" },
  dir: { value: "<directory>", summary: "work there instead of here" },
  file: {
    short: "f",
    value: "<path>",
    multiple: true,
    summary: "attach a file, an image, a PDF or a directory listing",
  },
  title: { value: "<text>", summary: "the title of a new session" },
  ...format,
} as const

export const demoOptions = {
  keep: { summary: "leave the project and the session where they are" },
  pace: { value: "<factor>", summary: "how slowly the model plays: 1 as recorded, 0 without pauses" },
} as const

export const sessionListOptions = {
  number: { short: "n", value: "<count>", summary: "list at most so many (20 unless told)" },
  all: { short: "a", summary: "of all directories" },
  dir: { value: "<directory>", summary: "of that directory instead of this one" },
  title: { value: "<text>", summary: "with this in their title" },
  archived: { summary: "the archived ones instead of the others" },
  ...formattedStorageOptions,
} as const

export const sessionForkOptions = {
  message: { value: "<id>", summary: "the first message that is left out" },
  part: { value: "<id>", summary: "with --message: keep what stands before this part of it" },
  ...formattedStorageOptions,
} as const

export const sessionRemoveOptions = {
  yes: { short: "y", summary: "do not ask" },
  ...storageOptions,
} as const

export const sessionExportOptions = {
  output: { short: "o", value: "<file>", summary: "write to this file instead of stdout" },
  sanitize: { summary: "mask keys, tokens, home directories and the like" },
  "without-content": { summary: "besides, mask all that was said, read and written" },
  ...storageOptions,
} as const

export const sessionImportOptions = {
  map: { value: "<from>=<to>", multiple: true, summary: "paths below <from> become paths below <to>" },
  "new-ids": { summary: "as a copy beside what is here already" },
  "from-opencode": { summary: "what OpenCode has stored, from its usual place or a path" },
  ...formattedStorageOptions,
} as const

export const searchOptions = {
  number: { short: "n", value: "<count>", summary: "find at most so much (20 unless told)" },
  session: { short: "s", value: "<id>", summary: "in this session" },
  all: { short: "a", summary: "in the sessions of all directories" },
  dir: { value: "<directory>", summary: "in those of that directory instead of this one" },
  ...formattedStorageOptions,
} as const

export const storageGcOptions = {
  "min-age": { value: "<time>", summary: "keep what is younger (1d unless told), as in 90m, 12h, 7d" },
  ...formattedStorageOptions,
} as const

export const storageCopyOptions = {
  from: { value: "<url>", summary: "the storage to read (your usual one unless told)" },
  to: { value: "<url>", summary: "the storage to write" },
  overwrite: { summary: "also sessions that went on in the target: what was done there is lost" },
  ...format,
} as const

export const modelsOptions = format
