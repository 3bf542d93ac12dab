/** Which model to use and how to reach it: the same for every command that asks one. */
export const modelOptions = {
  model: { short: "m", value: "<provider/model>", summary: "the model to use" },
  "base-url": { value: "<url>", summary: "where the provider's OpenAI-compatible API begins" },
  "api-key-env": { value: "<NAME>", summary: "the environment variable that holds the key" },
  script: { value: "<file>", summary: "play the model from a script instead of asking one" },
} as const

/** The option --trust, for every command that may run code or use settings of the project. */
export const trustOptions = {
  trust: {
    value: "<hash>",
    isOptional: true,
    summary:
      "for this run: use what this project supplies that runs or redirects, if its hash begins so (see pawl trust)",
  },
} as const

const FORMAT = "how to print: for people, or one JSON object a line"

export const format = { format: { value: "<format>", choices: ["text", "json"], summary: FORMAT } } as const

/** The option --storage, for every command that reads or writes sessions. */
export const storageOptions = {
  storage: { value: "<url>", summary: "the sessions stored there instead of in your usual place" },
} as const

export const formattedStorageOptions = { ...storageOptions, ...format } as const

/** The option --raw, for every command that prints stored text. */
export const rawOptions = {
  raw: { summary: "print keys, tokens and other secrets as they are stored, unmasked" },
} as const

/** For a command that was given no session. */
export const WHICH_SESSION = "Which session? pawl session list shows them."

/** Help text: the forms that a storage's URL can have. */
export const STORAGES =
  "A storage is sqlite:<file>, file:<directory>, memory:, postgres://<user>@<host>/<database>, or npm:<package>#<its url>. " +
  "It is the one of --storage, else of PAWL_STORAGE, of your configuration, or else pawl.db in the data directory."

/** Help text: the exit codes of a command that runs no task. */
export const done = { 0: "it was done", 1: "it failed; the reason is on stderr" } as const
