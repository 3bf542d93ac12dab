import { type CommandEntry, defineCommand } from "./arguments/command.ts"
import {
  demoOptions,
  formattedStorageOptions,
  modelsOptions,
  runOptions,
  searchOptions,
  sessionExportOptions,
  sessionForkOptions,
  sessionImportOptions,
  sessionListOptions,
  sessionRemoveOptions,
  storageCopyOptions,
  storageGcOptions,
  storageOptions,
} from "./command-options.ts"

const WHICH = "Which session? pawl session list shows them."

/** What a storage can be, in every place where one is named. */
const STORAGES =
  "A storage is sqlite:<file>, file:<directory>, memory:, postgres://<user>@<host>/<database>, or npm:<package>#<its url>. " +
  "It is the one of --storage, else of PAWL_STORAGE, of your configuration, or else pawl.db in the data directory."

const done = { 0: "it was done", 1: "it failed; the reason is on stderr" } as const

/** Every command with all that help texts need. The code behind a row is loaded when the row is run. */
export const commands: readonly CommandEntry[] = [
  defineCommand(
    {
      name: "run",
      summary: "Give the agent a task in this directory and watch it work.",
      usage: ['run [options] "<task>"', "run [options] -", 'run -c "<what next>"', "run -c"],
      notes: [
        "The answer goes to stdout, everything else to stderr. With - the task is read from stdin. With -c or -s and no " +
          "task, work that was interrupted is finished.",
        "The model is the one of --model, else of PAWL_MODEL, of the session, of the configuration, of the first key found in the environment. " +
          "Local servers are reached by name: ollama/…, lmstudio/…, llama.cpp/…, vllm/….",
      ],
      words: { min: 0, max: Infinity },
      options: runOptions,
      examples: [
        ['pawl run "make the failing test pass"', "with the model of the configuration"],
        ['pawl run -m ollama/qwen3-coder "explain src/main.ts"', "with a local model"],
        ['pawl run -c "now add a test for it"', "go on with the newest session"],
        ["git diff | pawl run --format json - > events.jsonl", "task from stdin, events as JSON lines"],
      ],
    },
    async () => (await import("./commands/run.ts")).run,
  ),
  defineCommand(
    {
      name: "demo",
      summary: "Watch a whole coding job in a scratch repository, without a key or a network.",
      usage: ["demo [options]"],
      notes: [
        "The model is played from a script; the repository, the tools, the tests and the stored session are real. " +
          "Everything is removed at the end unless it is to be kept.",
      ],
      words: { min: 0, max: 0 },
      options: demoOptions,
      examples: [
        ["pawl demo", "at a pace that can be followed"],
        ["pawl demo --keep --pace 0", "at once, and keep the result to look at"],
      ],
    },
    async () => (await import("./commands/demo.ts")).demo,
  ),
  defineCommand(
    {
      name: "session list",
      summary: "List the sessions of this directory, newest first.",
      usage: ["session list [options]"],
      words: { min: 0, max: 0 },
      options: sessionListOptions,
      exitCodes: done,
      examples: [
        ["pawl session list -n 5", "the newest five"],
        ["pawl session list --all --format json", "of all directories, for programs"],
      ],
    },
    async () => (await import("./commands/sessions.ts")).sessionList,
  ),
  defineCommand(
    {
      name: "session show",
      summary: "Print what was said and done in a session.",
      usage: ["session show [options] <id>"],
      words: { min: 1, max: 1, missing: WHICH },
      options: formattedStorageOptions,
      exitCodes: done,
      examples: [["pawl session show ses_7ZZ… | less -R", "read it page by page"]],
    },
    async () => (await import("./commands/sessions.ts")).sessionShow,
  ),
  defineCommand(
    {
      name: "session children",
      summary: "List the sessions directly below a session, newest first.",
      usage: ["session children [options] <id>"],
      words: { min: 1, max: 1, missing: WHICH },
      options: formattedStorageOptions,
      exitCodes: done,
      examples: [["pawl session children ses_7ZZ…", "what its subagents worked in"]],
    },
    async () => (await import("./commands/sessions.ts")).sessionChildren,
  ),
  defineCommand(
    {
      name: "session rename",
      summary: "Give a session another title.",
      usage: ["session rename [options] <id> <title>"],
      words: { min: 2, max: Infinity, missing: "Which session, and what to call it? pawl session rename <id> <title>" },
      options: storageOptions,
      exitCodes: done,
      examples: [['pawl session rename ses_7ZZ… "The flaky test"', "as it is listed from now on"]],
    },
    async () => (await import("./commands/sessions.ts")).sessionRename,
  ),
  defineCommand(
    {
      name: "session archive",
      summary: "Leave sessions out of the list, and keep them.",
      usage: ["session archive [options] <id> …"],
      words: { min: 1, max: Infinity, missing: WHICH },
      options: storageOptions,
      exitCodes: done,
      examples: [["pawl session archive ses_7ZZ…", "pawl session list --archived still shows it"]],
    },
    async () => (await import("./commands/sessions.ts")).sessionArchive,
  ),
  defineCommand(
    {
      name: "session unarchive",
      summary: "Put archived sessions back into the list.",
      usage: ["session unarchive [options] <id> …"],
      words: { min: 1, max: Infinity, missing: "Which session? pawl session list --archived shows them." },
      options: storageOptions,
      exitCodes: done,
      examples: [["pawl session unarchive ses_7ZZ…", "undoes pawl session archive"]],
    },
    async () => (await import("./commands/sessions.ts")).sessionUnarchive,
  ),
  defineCommand(
    {
      name: "session fork",
      summary: "Make a new session of a session, or of its beginning.",
      usage: ["session fork [options] <id>"],
      notes: [
        "The new session has copies of all messages, or of those before --message, and goes its own way from there. " +
          "Its id is printed to stdout. pawl session show --format json tells the ids of messages and parts.",
      ],
      words: { min: 1, max: 1, missing: WHICH },
      options: sessionForkOptions,
      exitCodes: done,
      examples: [
        ["pawl session fork ses_7ZZ…", "try something else from here on"],
        ["pawl session fork ses_7ZZ… --message msg_01M…", "as it was before that message"],
      ],
    },
    async () => (await import("./commands/sessions.ts")).sessionFork,
  ),
  defineCommand(
    {
      name: "session remove",
      summary: "Remove sessions with all that is below them.",
      usage: ["session remove [options] <id> …"],
      notes: [
        "For 7 days they can be restored: what is removed is first written to trash/ in the data directory, and noted in " +
          "trash/audit.jsonl there. A session that another process works on is not removed.",
      ],
      words: { min: 1, max: Infinity, missing: WHICH },
      options: sessionRemoveOptions,
      exitCodes: { ...done, 1: "it failed, or you said no" },
      examples: [
        ["pawl session remove ses_7ZZ…", "asks first"],
        ["pawl session remove --yes ses_7ZZ… ses_7ZY…", "in a script"],
      ],
    },
    async () => (await import("./commands/sessions.ts")).sessionRemove,
  ),
  defineCommand(
    {
      name: "session restore",
      summary: "Bring a removed session back, or list those that can be.",
      usage: ["session restore [options]", "session restore [options] <id>"],
      words: { min: 0, max: 1 },
      options: formattedStorageOptions,
      exitCodes: done,
      examples: [
        ["pawl session restore", "what was removed in the last 7 days"],
        ["pawl session restore ses_7ZZ…", "with all that was below it"],
      ],
    },
    async () => (await import("./commands/sessions.ts")).sessionRestore,
  ),
  defineCommand(
    {
      name: "session export",
      summary: "Write a session, with all below it, as one JSON document.",
      usage: ["session export [options] <id>"],
      notes: [
        "The document holds everything that is needed to go on elsewhere: sessions, messages, large outputs. " +
          "pawl session import reads it.",
      ],
      words: { min: 1, max: 1, missing: WHICH },
      options: sessionExportOptions,
      exitCodes: done,
      examples: [
        ["pawl session export ses_7ZZ… -o session.json", "to go on with on another machine"],
        ["pawl session export --sanitize ses_7ZZ… -o report.json", "for a bug report; look it through yourself too"],
      ],
    },
    async () => (await import("./commands/sessions.ts")).sessionExport,
  ),
  defineCommand(
    {
      name: "session import",
      summary: "Bring in sessions from a document, or from OpenCode.",
      usage: ["session import [options] <file>", "session import [options] -", "session import --from-opencode [path]"],
      notes: [
        "A document is what pawl session export or opencode export wrote. What is here already is left alone; where it differs, " +
          "nothing is imported without --new-ids.",
        "With --from-opencode the sessions of OpenCode are only read, from its database or its older files. Again, it brings " +
          "in what is new there.",
      ],
      words: { min: 0, max: 1 },
      options: sessionImportOptions,
      exitCodes: { ...done, 1: "it failed, or not everything could be imported" },
      examples: [
        ["pawl session import session.json --map /home/ann/app=/srv/app", "the project lies elsewhere here"],
        ["pawl session import --from-opencode", "all that OpenCode has on this machine"],
      ],
    },
    async () => (await import("./commands/sessions.ts")).sessionImport,
  ),
  defineCommand(
    {
      name: "search",
      summary: "Find words in what was asked, answered and done.",
      usage: ["search [options] <text>"],
      notes: [
        "Finds prompts, answers, and inputs and outputs of tools that hold every word, or a word that begins with it, in any " +
          "case. The newest come first.",
      ],
      words: { min: 1, max: Infinity, missing: "What is to be found? pawl search <text>" },
      options: searchOptions,
      exitCodes: { ...done, 0: "it was searched, whether or not anything was found" },
      examples: [
        ["pawl search flaky test", "in the sessions of this directory"],
        ["pawl search --all --format json ECONNRESET", "everywhere, for programs"],
      ],
    },
    async () => (await import("./commands/sessions.ts")).search,
  ),
  defineCommand(
    {
      name: "storage stats",
      summary: "Count what is stored, and what it takes.",
      usage: ["storage stats [options]"],
      notes: [STORAGES],
      words: { min: 0, max: 0 },
      options: formattedStorageOptions,
      exitCodes: done,
      examples: [["pawl storage stats", "sessions, messages, parts and blobs"]],
    },
    async () => (await import("./commands/sessions.ts")).storageStats,
  ),
  defineCommand(
    {
      name: "storage verify",
      summary: "Read all that is stored, and report what is damaged or missing.",
      usage: ["storage verify [options]"],
      notes: ["Nothing is changed. " + STORAGES],
      words: { min: 0, max: 0 },
      options: formattedStorageOptions,
      exitCodes: { 0: "everything is as it should be", 1: "problems were found, or it failed" },
      examples: [["pawl storage verify || pawl storage rebuild", "in a nightly job"]],
    },
    async () => (await import("./commands/sessions.ts")).storageVerify,
  ),
  defineCommand(
    {
      name: "storage rebuild",
      summary: "Make anew what is derived: lists, the search index, references.",
      usage: ["storage rebuild [options]"],
      notes: ["Damaged records are set aside, never deleted. Sessions can be worked on meanwhile. " + STORAGES],
      words: { min: 0, max: 0 },
      options: storageOptions,
      exitCodes: done,
      examples: [["pawl storage rebuild", "after pawl storage verify found problems"]],
    },
    async () => (await import("./commands/sessions.ts")).storageRebuild,
  ),
  defineCommand(
    {
      name: "storage gc",
      summary: "Remove large outputs and attachments that no session refers to.",
      usage: ["storage gc [options]"],
      notes: [STORAGES],
      words: { min: 0, max: 0 },
      options: storageGcOptions,
      exitCodes: done,
      examples: [["pawl storage gc --min-age 7d", "keep what was stored in the last week in any case"]],
    },
    async () => (await import("./commands/sessions.ts")).storageGc,
  ),
  defineCommand(
    {
      name: "storage backup",
      summary: "Write all sessions into a new SQLite file, while work goes on.",
      usage: ["storage backup [options] <file>"],
      notes: ["The file is a storage of its own: sqlite:<file> opens it. " + STORAGES],
      words: { min: 1, max: 1, missing: "Into which file? pawl storage backup <file>" },
      options: formattedStorageOptions,
      exitCodes: { ...done, 1: "it failed, or not everything could be read" },
      examples: [
        ["pawl storage backup ~/pawl-monday.db", "what it holds is read back and compared"],
        ["pawl session list --storage sqlite:~/pawl-monday.db", "look into it"],
      ],
    },
    async () => (await import("./commands/sessions.ts")).storageBackup,
  ),
  defineCommand(
    {
      name: "storage copy",
      summary: "Copy all sessions from one storage to another.",
      usage: ["storage copy [options] --to <url>"],
      notes: [
        "Every session is read back and compared. Interrupted, the same command goes on; later, it brings over what has changed. " +
          "What only the target has stays there.",
        STORAGES,
      ],
      words: { min: 0, max: 0 },
      options: storageCopyOptions,
      exitCodes: { ...done, 1: "it failed, or not everything was copied" },
      examples: [
        ["pawl storage copy --to postgres://pawl@db/pawl", "move to a server; then set PAWL_STORAGE"],
        ["pawl storage copy --from file:/mnt/old --to sqlite:new.db", "any storage to any other"],
      ],
    },
    async () => (await import("./commands/sessions.ts")).storageCopy,
  ),
  defineCommand(
    {
      name: "models",
      summary: "List the models that can be used from here.",
      usage: ["models [provider]"],
      notes: ["From the configuration, keys in the environment, local servers that answer, and scripts."],
      words: { min: 0, max: 1 },
      options: modelsOptions,
      exitCodes: done,
      examples: [["pawl models ollama", "what the local Ollama server has"]],
    },
    async () => (await import("./commands/models.ts")).models,
  ),
  defineCommand(
    {
      name: "help",
      summary: "Explain a command.",
      usage: ["help [command]"],
      words: { min: 0, max: 2 },
      options: {},
      exitCodes: done,
      examples: [["pawl help run", "the same as pawl run --help"]],
    },
    async () => (await import("./commands/help.ts")).help,
  ),
]
