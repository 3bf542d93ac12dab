/** Options that select the model, for every command that sends requests to one. */
export const modelOptions = {
  model: { short: "m", value: "<provider/model>", completes: "models", summary: "model to use" },
  "base-url": { value: "<url>", summary: "base URL of the provider's OpenAI-compatible API" },
  "api-key-env": { value: "<NAME>", summary: "environment variable that holds the key" },
  script: { value: "<file>", completes: "files", summary: "play answers from a script instead of using a model" },
} as const

/** Option --trust, for every command that may run code or use settings of the project. */
export const trustOptions = {
  trust: {
    value: "<hash>",
    isOptional: true,
    summary: "trust this project for this run, optionally only if its hash starts with <hash>",
  },
} as const

const FORMAT = "output format; json: one object per line"

export const format = { format: { value: "<format>", choices: ["text", "json"], summary: FORMAT } } as const

/** Option --storage, for every command that reads or writes sessions. */
export const storageOptions = {
  storage: { value: "<url>", summary: "storage URL (default: the configured one)" },
} as const

/** Option --dir, for every command about a directory. */
export const directoryOptions = {
  dir: { value: "<directory>", completes: "directories", summary: "directory to use (default: this one)" },
} as const

export const formattedDirectoryOptions = { ...directoryOptions, ...format } as const

export const formattedStorageOptions = { ...storageOptions, ...format } as const

/** Option --raw, for every command that prints stored text. */
export const rawOptions = {
  raw: { summary: "do not mask keys, tokens and other secrets" },
} as const

/** Option --yes, for every command that asks first. */
export const yesOptions = { yes: { short: "y", summary: "do not ask" } } as const

/** Error of a command without its MCP server. */
export const MISSING_SERVER = "missing server; list them: pawl mcp list"

/** Error of a command without its session. */
export const MISSING_SESSION = "missing session id; list them: pawl session list"

/** Paragraph for help texts: the forms of a storage URL. */
export const STORAGES =
  "A storage URL is sqlite:<file>, file:<directory>, memory:, postgres://<user>@<host>/<database>, or npm:<package>#<its url>. " +
  "Order of precedence: --storage, PAWL_STORAGE, your configuration. Default: pawl.db in the data directory."
