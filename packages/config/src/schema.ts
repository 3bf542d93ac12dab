import { z } from "zod"
import { agent, deprecatedTools, permission } from "./schema-agent.ts"
import { limits } from "./schema-limits.ts"
import { mcpServers } from "./schema-mcp.ts"
import { type model, provider } from "./schema-provider.ts"
import { checks, command, environmentNames, formatters, sandbox, webfetch } from "./schema-tools.ts"
import {
  count,
  flag,
  list,
  milliseconds,
  modelRef,
  number,
  object,
  oneOf,
  ordered,
  table,
  text,
  tokens,
  wholeNumber,
} from "./schema-values.ts"

const url = text.refine((value) => URL.canParse(value), { error: "must be a URL, as in scheme:rest" })
const plugin = z.union(
  [text, z.tuple([text, table(z.unknown())], { error: "must be a pair of a name and an object" })],
  {
    error: "must be a plugin's name or a pair [name, options]",
  },
)

const context = {
  auto: flag
    .describe("Replace old messages by a summary when the context window is full. Default: true.")
    .exactOptional(),
  prune: flag.describe("Allow clearing old tool outputs. Default: true.").exactOptional(),
  reserved: tokens
    .describe("Tokens of the window that are kept free for the answer. Default: by the model, at most 20000.")
    .exactOptional(),
  preserve_recent_tokens: tokens
    .describe("Tokens of the newest messages that stay word for word. Default: a quarter of the window, 2000 to 15000.")
    .exactOptional(),
  tail_turns: wholeNumber("a whole number of turns, 0 or more", 0)
    .describe("The most turns that stay word for word. Default: no limit.")
    .exactOptional(),
  soft: number("a number from 0.1 to 1", 0.1, 1)
    .describe("Share of the usable window at which pawl starts to prepare a summary in the background. Default: 0.9.")
    .exactOptional(),
  cache_ttl_ms: milliseconds
    .describe("How long the provider keeps its cache, in milliseconds. Default: 5 minutes.")
    .exactOptional(),
}

const compaction = object({
  ...context,
  models: ordered(object(context))
    .describe(
      'The same for the models whose "provider/model" a pattern of * and ? fits. Of those that fit, the last one counts.',
    )
    .exactOptional(),
})
  .describe("Handling of a full context window. The defaults depend on the model.")
  .exactOptional()

/** A configuration file. Each file is validated separately; an unknown key is an error. */
export const schema = object({
  $schema: text.describe("The JSON Schema of this file, for editors.").exactOptional(),
  model: modelRef
    .describe("The model to use: provider/model. Default: the usual model of the first key in the environment.")
    .exactOptional(),
  small_model: modelRef
    .describe("The model for titles and other small work: provider/model. Default: none, so no model names sessions.")
    .exactOptional(),
  fallback: list(modelRef)
    .describe(
      "Models that take the place of one that cannot answer, in their order: provider/model. Until the next prompt.",
    )
    .exactOptional(),
  provider: table(provider).describe("Providers by id.").exactOptional(),
  disabled_providers: list(text).describe("Providers that are never used, by their ids.").exactOptional(),
  enabled_providers: list(text).describe("The only providers that may be used, by their ids.").exactOptional(),
  permission: permission.exactOptional(),
  instructions: list(text)
    .describe("Files with instructions for every agent. The files of all layers count together.")
    .exactOptional(),
  agent: table(agent).describe("Agents by name.").exactOptional(),
  mode: table(agent)
    .describe("Agents for the user to choose. Write `agent` instead.")
    .meta({ deprecated: true })
    .exactOptional(),
  tools: deprecatedTools.exactOptional(),
  default_agent: text.describe("The agent that a new session starts with. Default: build.").exactOptional(),
  storage: url
    .describe(
      "Where sessions are stored: sqlite:<file>, file:<directory>, memory:, postgres://…, or npm:<package>#<its url>. " +
        "Only your own configuration chooses it, never a project's. Default: pawl.db in the data directory.",
    )
    .exactOptional(),
  data: text
    .describe("The directory for sessions and other files that must last. Default: ~/.local/share/pawl.")
    .exactOptional(),
  tool_output: object({
    max_lines: count.describe("Lines of one output. Default: 2000.").exactOptional(),
    max_bytes: count.describe("Bytes of one output. Default: 51200.").exactOptional(),
  })
    .describe("How much of a tool's output the model gets to read.")
    .exactOptional(),
  compaction,
  repetition: object({
    response: oneOf(["ask", "nudge", "stop"])
      .describe("Ask the user, tell the model once, or end the run. Default: ask.")
      .exactOptional(),
  })
    .describe("Handling of a model that repeats itself.")
    .exactOptional(),
  deadlines: object({
    connect_ms: milliseconds.describe("For a connection to the model's server. Default: 30000.").exactOptional(),
    first_event_ms: milliseconds
      .describe("Until the model's first event, or a sign of life of its server. Default: 180000.")
      .exactOptional(),
    idle_ms: milliseconds
      .describe(
        "Between two signs of life of the model's server: events, parts of them, or keep-alives. Default: 120000.",
      )
      .exactOptional(),
    event_ms: milliseconds
      .describe(
        "Maximum time between two events of the model; keep-alives do not count. Never less than `first_event_ms` and `idle_ms`. Default: 300000.",
      )
      .exactOptional(),
    waiting_ms: milliseconds
      .describe(
        "Time without an event of the model after which pawl shows what it waits for. 0: never. Default: 10000.",
      )
      .exactOptional(),
    tool_ms: milliseconds.describe("For a tool without progress. Default: 600000.").exactOptional(),
    subagent_ms: milliseconds.describe("For a subagent without a sign of life. Default: 900000.").exactOptional(),
    abort_ms: milliseconds
      .describe("For programs to end after an abort; then they are killed. Default: 1000.")
      .exactOptional(),
    question_ms: milliseconds
      .describe("For a question to the user; then the call is refused. Default: 3600000.")
      .exactOptional(),
  })
    .describe("How long pawl waits, in milliseconds; 0 for ever.")
    .exactOptional(),
  retry: object({
    attempts: count.describe("Requests of one step to one model, including the first. Default: 5.").exactOptional(),
    total_ms: milliseconds
      .describe(
        "Maximum time from the first request to the last, in milliseconds; 0 for no limit. Default: 10 minutes.",
      )
      .exactOptional(),
    delay_ms: milliseconds
      .describe("Delay before the second request, in milliseconds, doubled before each later one. Default: 1000.")
      .exactOptional(),
  })
    .describe("Retries of requests after temporary failures.")
    .exactOptional(),
  limits: limits.exactOptional(),
  ask: oneOf(["deny", "wait"])
    .describe("Deny a question if no user can be asked, or keep it until it is answered. Default: deny.")
    .exactOptional(),
  snapshot: flag
    .describe("Watch which files tool calls change, for `pawl undo` and `pawl diff`. Default: true.")
    .exactOptional(),
  title: flag.describe("Let the model name new sessions. Default: true.").exactOptional(),
  command: table(command).describe("Slash commands by name.").exactOptional(),
  skills: object({
    paths: list(text).describe("Directories with skills, in addition to the usual ones.").exactOptional(),
  })
    .describe("Additional places of skills.")
    .exactOptional(),
  subagent_depth: wholeNumber("a whole number, 0 or more", 0)
    .describe("Maximum depth of nested subagents. Default: 1, so that subagents cannot start others.")
    .exactOptional(),
  shell: text.describe("The shell that runs commands.").exactOptional(),
  sandbox: sandbox.exactOptional(),
  environment: environmentNames.exactOptional(),
  log: object({
    level: oneOf(["debug", "info", "warn", "error", "off"])
      .describe("Minimum level. PAWL_LOG_LEVEL and --log-level take precedence. Default: info.")
      .exactOptional(),
  })
    .describe("The log file, in log/ of the data directory.")
    .exactOptional(),
  upgrade: object({
    notice: flag
      .describe(
        "Check npm for a newer pawl once a day, after the run; the next run reports it. Default: false. " +
          "Only your own configuration says so, never a project's.",
      )
      .exactOptional(),
  })
    .describe("Newer versions of pawl.")
    .exactOptional(),
  formatter: formatters.exactOptional(),
  check: checks.exactOptional(),
  webfetch: webfetch.exactOptional(),
  mcp: mcpServers.exactOptional(),
  plugin: list(plugin).describe("Plugins by name or path, in the order they run.").exactOptional(),
})

/** The configuration as a file may contain it, with deprecated keys. */
export type WrittenConfig = z.infer<typeof schema>
export type WrittenAgent = z.infer<typeof agent>
export type PermissionConfig = z.infer<typeof permission>
export type ProviderConfig = z.infer<typeof provider>
export type ModelConfig = z.infer<typeof model>
export type CommandConfig = z.infer<typeof command>
export type McpServerConfig = z.infer<typeof mcpServers>[string]

/** An agent in current keys, with `delegates` as a list. */
export type AgentConfig = Omit<WrittenAgent, "tools" | "maxSteps" | "delegates"> & { delegates?: DelegationConfig[] }
export type DelegationConfig = { permission: string; pattern: string }

/** The configuration in current keys. */
export type Config = Omit<WrittenConfig, "mode" | "tools" | "agent"> & { agent?: Record<string, AgentConfig> }
