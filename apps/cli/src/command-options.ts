/** Which model to use and how to reach it: the same for every command that asks one. */
export const modelOptions = {
  model: { short: "m", value: "<provider/model>", summary: "the model to use" },
  "base-url": { value: "<url>", summary: "where the provider's OpenAI-compatible API begins" },
  "api-key-env": { value: "<NAME>", summary: "the environment variable that holds the key" },
  script: { value: "<file>", summary: "play the model from a script instead of asking one" },
} as const

/** Of commands that may run what a project supplies. */
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

/** Where the sessions are: of every command that reads or writes them. */
export const storageOptions = {
  storage: { value: "<url>", summary: "the sessions stored there instead of in your usual place" },
} as const

export const formattedStorageOptions = { ...storageOptions, ...format } as const

/** For a command that was given no session. */
export const WHICH_SESSION = "Which session? pawl session list shows them."

/** What a storage can be, in every place where one is named. */
export const STORAGES =
  "A storage is sqlite:<file>, file:<directory>, memory:, postgres://<user>@<host>/<database>, or npm:<package>#<its url>. " +
  "It is the one of --storage, else of PAWL_STORAGE, of your configuration, or else pawl.db in the data directory."

/** What exit codes mean where no task is worked on. */
export const done = { 0: "it was done", 1: "it failed; the reason is on stderr" } as const
