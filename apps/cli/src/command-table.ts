import type { CommandName, CommandRow } from "./arguments/command.ts"

type Row = readonly [
  name: string,
  summary: string,
  load: CommandRow["load"],
  more?: Pick<CommandName, "isCommon" | "aliases">,
]

/** The commands of each section of the overview. */
const sections: Readonly<Record<CommandName["group"], readonly Row[]>> = {
  Start: [
    ["run", "Run a task in this directory.", () => import("./commands/run.ts"), { isCommon: true }],
    [
      "demo",
      "Watch a coding job in a scratch repository, without a key.",
      () => import("./commands/demo.ts"),
      { isCommon: true },
    ],
    ["tui", "Open a conversation in the terminal, as bare pawl does.", () => import("./commands/tui.ts")],
    ["serve", "Serve sessions to OpenCode's clients over HTTP.", () => import("./commands/serve.ts")],
    ["help", "Show help for pawl or a command.", () => import("./commands/help.ts")],
  ],
  Sessions: [
    ["replay", "Replay a recorded run and report differences.", () => import("./commands/replay.ts")],
    [
      "session list",
      "List the sessions of this directory, newest first.",
      () => import("./commands/session/list.ts"),
      { isCommon: true },
    ],
    ["session show", "Print the messages and tool calls of a session.", () => import("./commands/session/show.ts")],
    ["session watch", "Follow a session that any process works on.", () => import("./commands/session/watch.ts")],
    [
      "undo",
      "Undo the last turn: its messages and its changes of files.",
      () => import("./commands/undo.ts"),
      { isCommon: true },
    ],
    ["redo", "Take back the last undo.", () => import("./commands/redo.ts")],
    ["diff", "Show what a session has changed in files.", () => import("./commands/diff.ts")],
    ["session context", "Show what fills the model's context window.", () => import("./commands/session/context.ts")],
    [
      "session compact",
      "Replace older messages of a session with a summary.",
      () => import("./commands/session/compact.ts"),
    ],
    ["session pin", "Pin a note that compaction keeps in the context.", () => import("./commands/session/pin.ts")],
    [
      "session children",
      "List the child sessions of a session, newest first.",
      () => import("./commands/session/children.ts"),
    ],
    [
      "session queue",
      "List or withdraw prompts queued for a running session.",
      () => import("./commands/session/queue.ts"),
    ],
    ["session abort", "End the run of a session in any process.", () => import("./commands/session/abort.ts")],
    ["session rename", "Change the title of a session.", () => import("./commands/session/rename.ts")],
    [
      "session archive",
      "Hide sessions from the list without deleting them.",
      () => import("./commands/session/archive.ts"),
    ],
    ["session unarchive", "Return archived sessions to the list.", () => import("./commands/session/unarchive.ts")],
    [
      "session fork",
      "Copy a session, or its beginning, into a new session.",
      () => import("./commands/session/fork.ts"),
    ],
    [
      "session remove",
      "Remove sessions and their child sessions.",
      () => import("./commands/session/remove.ts"),
      { aliases: ["session delete"] },
    ],
    [
      "session restore",
      "Restore a removed session, or list removed sessions.",
      () => import("./commands/session/restore.ts"),
    ],
    [
      "session export",
      "Export a session and its child sessions as JSON.",
      () => import("./commands/session/export.ts"),
      { aliases: ["export"] },
    ],
    [
      "session import",
      "Import sessions from a document or from OpenCode.",
      () => import("./commands/session/import.ts"),
      { aliases: ["import"] },
    ],
    ["worktree list", "List the git worktrees that runs have created.", () => import("./commands/worktree/list.ts")],
    ["worktree diff", "Show what a worktree has changed.", () => import("./commands/worktree/diff.ts")],
    ["worktree merge", "Merge the work of a worktree into your branch.", () => import("./commands/worktree/merge.ts")],
    ["worktree remove", "Remove a worktree, and its branch if merged.", () => import("./commands/worktree/remove.ts")],
    [
      "search",
      "Search prompts, answers and tool calls.",
      () => import("./commands/search.ts"),
      { aliases: ["session search"] },
    ],
    ["stats", "Show token usage and cost by day, model, agent and tool.", () => import("./commands/stats.ts")],
  ],
  "Models and keys": [
    ["models", "List the available models.", () => import("./commands/models.ts"), { isCommon: true }],
    [
      "auth login",
      "Save a provider's key, or sign in to a provider.",
      () => import("./commands/auth/login.ts"),
      { isCommon: true },
    ],
    ["auth list", "List credentials and where each one comes from.", () => import("./commands/auth/list.ts")],
    ["auth logout", "Remove the saved credentials of a provider.", () => import("./commands/auth/logout.ts")],
    ["provider add", "Install an AI SDK package as a provider.", () => import("./commands/provider/add.ts")],
  ],
  Extend: [
    ["agent list", "List agents and where each one is defined.", () => import("./commands/agent/list.ts")],
    ["agent show", "Show an agent's model, rules and prompt.", () => import("./commands/agent/show.ts")],
    ["agent create", "Create the file of a new agent.", () => import("./commands/agent/create.ts")],
    ["command list", "List slash commands.", () => import("./commands/command/list.ts")],
    ["command show", "Show the prompt of a slash command.", () => import("./commands/command/show.ts")],
    ["skill list", "List the skills that agents can load.", () => import("./commands/skill/list.ts")],
    ["skill show", "Show a skill's instructions.", () => import("./commands/skill/show.ts")],
    ["plugin list", "List plugins and whether each one is trusted.", () => import("./commands/plugin/list.ts")],
    ["plugin add", "Test a plugin and add it to the configuration.", () => import("./commands/plugin/add.ts")],
    ["plugin remove", "Remove a plugin from the configuration.", () => import("./commands/plugin/remove.ts")],
    ["plugin update", "Update plugins to newer versions from npm.", () => import("./commands/plugin/update.ts")],
    [
      "plugin doctor",
      "Start the plugins and report their hooks and failures.",
      () => import("./commands/plugin/doctor.ts"),
    ],
    ["plugin new", "Create a plugin with a passing test.", () => import("./commands/plugin/new.ts")],
    ["mcp list", "List MCP servers and whether each one works.", () => import("./commands/mcp/list.ts")],
    ["mcp add", "Add an MCP server to your configuration.", () => import("./commands/mcp/add.ts")],
    ["mcp remove", "Remove an MCP server from the configuration.", () => import("./commands/mcp/remove.ts")],
    ["mcp allow", "Review an MCP server of this project, and allow it.", () => import("./commands/mcp/allow.ts")],
    ["mcp debug", "Find out why an MCP server does not work.", () => import("./commands/mcp/debug.ts")],
    ["mcp call", "Call a tool of an MCP server.", () => import("./commands/mcp/call.ts")],
    ["mcp auth", "Sign in to a remote MCP server.", () => import("./commands/mcp/auth.ts")],
    ["mcp logout", "Sign out of a remote MCP server.", () => import("./commands/mcp/logout.ts")],
    ["mcp import", "Import MCP servers from another program's file.", () => import("./commands/mcp/import.ts")],
    ["mcp serve", "Run as an MCP server, so that programs can use sessions.", () => import("./commands/mcp/serve.ts")],
  ],
  Safety: [
    ["questions", "List questions that wait for an answer.", () => import("./commands/questions.ts")],
    [
      "questions answer",
      "Answer a question of this or another process.",
      () => import("./commands/questions/answer.ts"),
    ],
    [
      "permissions why",
      "Explain whether a tool call is allowed, and why.",
      () => import("./commands/permissions/why.ts"),
    ],
    [
      "permissions list",
      "List permission rules and where each one is defined.",
      () => import("./commands/permissions/list.ts"),
    ],
    [
      "permissions replay",
      "Test other rules on the tool calls of stored sessions.",
      () => import("./commands/permissions/replay.ts"),
    ],
    [
      "trust",
      "Review and trust this project's plugins, tools, endpoints.",
      () => import("./commands/trust.ts"),
      { isCommon: true },
    ],
  ],
  Maintenance: [
    ["storage stats", "Show the number and size of stored records.", () => import("./commands/storage/stats.ts")],
    [
      "storage verify",
      "Check the storage for damaged or missing records.",
      () => import("./commands/storage/verify.ts"),
    ],
    [
      "storage rebuild",
      "Rebuild session lists, search index and blob references.",
      () => import("./commands/storage/rebuild.ts"),
    ],
    [
      "storage gc",
      "Remove outputs and attachments that no session refers to.",
      () => import("./commands/storage/gc.ts"),
    ],
    ["storage backup", "Back up all sessions to a new SQLite file.", () => import("./commands/storage/backup.ts")],
    ["storage copy", "Copy all sessions from one storage to another.", () => import("./commands/storage/copy.ts")],
    ["config show", "Show the effective configuration and its origins.", () => import("./commands/config/show.ts")],
    ["config files", "List configuration sources in order of precedence.", () => import("./commands/config/files.ts")],
    ["config schema", "Print the JSON Schema of a configuration file.", () => import("./commands/config/schema.ts")],
    ["doctor", "Check the installation and configuration.", () => import("./commands/doctor.ts"), { isCommon: true }],
    ["completion", "Print a completion script for your shell.", () => import("./commands/completion.ts")],
  ],
}

/** Every command, in the order of the overview. Its module is loaded when it is run or explained. */
export const commands: readonly CommandRow[] = (Object.keys(sections) as CommandName["group"][]).flatMap((group) => {
  return sections[group].map(([name, summary, load, more]) => ({ name, group, summary, load, ...more }))
})
