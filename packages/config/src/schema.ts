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
    .describe("Whether old messages are replaced by a summary when the window is full; true unless told.")
    .exactOptional(),
  prune: flag.describe("Whether old outputs of tools may be cleared; true unless told.").exactOptional(),
  reserved: tokens.describe("Tokens of the window that are kept free for the answer.").exactOptional(),
  preserve_recent_tokens: tokens.describe("Tokens of the newest messages that stay word for word.").exactOptional(),
  tail_turns: wholeNumber("a whole number of turns, 0 or more", 0)
    .describe("The most turns that stay word for word.")
    .exactOptional(),
  soft: number("a number from 0.1 to 1", 0.1, 1)
    .describe("Share of the usable window at which pawl starts to prepare a summary in the background. Default: 0.9.")
    .exactOptional(),
  cache_ttl_ms: milliseconds
    .describe("How long the provider keeps its cache, in milliseconds; five minutes unless told.")
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
  .describe("What is done when the model's window fills. All of it has defaults that fit the model.")
  .exactOptional()

/** What one configuration file may hold. Each file is valid by itself; an unknown key is an error. */
export const schema = object({
  $schema: text.describe("The JSON Schema of this file, for editors.").exactOptional(),
  model: modelRef.describe("The model to use: provider/model.").exactOptional(),
  small_model: modelRef.describe("The model for titles and other small work: provider/model.").exactOptional(),
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
  default_agent: text.describe("The agent that a new session starts with.").exactOptional(),
  storage: url
    .describe(
      "Where sessions are stored: sqlite:<file>, file:<directory>, memory:, postgres://…, or npm:<package>#<its url>. " +
        "Only your own configuration chooses it, never a project's.",
    )
    .exactOptional(),
  data: text.describe("The directory for sessions and other files that must last.").exactOptional(),
  tool_output: object({
    max_lines: count.exactOptional(),
    max_bytes: count.exactOptional(),
  })
    .describe("How much of a tool's output the model gets to read.")
    .exactOptional(),
  compaction,
  repetition: object({
    response: oneOf(["ask", "nudge", "stop"])
      .describe("Ask the user, tell the model once, or end the run; ask unless told.")
      .exactOptional(),
  })
    .describe("What is done when the model does the same over and over.")
    .exactOptional(),
  deadlines: object({
    connect_ms: milliseconds.describe("For a connection to the model's server.").exactOptional(),
    first_event_ms: milliseconds
      .describe("Until the model's first event, or a sign of life of its server.")
      .exactOptional(),
    idle_ms: milliseconds
      .describe("Between two signs of life of the model's server: events, parts of them, or keep-alives.")
      .exactOptional(),
    event_ms: milliseconds
      .describe(
        "Maximum time between two events of the model; keep-alives do not count. Never less than `first_event_ms` and `idle_ms`.",
      )
      .exactOptional(),
    waiting_ms: milliseconds
      .describe("Time without an event of the model after which pawl shows what it waits for. 0: never.")
      .exactOptional(),
    tool_ms: milliseconds.describe("For a tool without progress.").exactOptional(),
    subagent_ms: milliseconds.describe("For a subagent without a sign of life.").exactOptional(),
    abort_ms: milliseconds.describe("For programs to end after an abort; then they are killed.").exactOptional(),
    question_ms: milliseconds
      .describe("For a permission that a person is asked for; then it is refused.")
      .exactOptional(),
  })
    .describe("How long pawl waits, in milliseconds; 0 for ever.")
    .exactOptional(),
  retry: object({
    attempts: count.describe("Requests of one step to one model, the first included; 5 unless told.").exactOptional(),
    total_ms: milliseconds
      .describe("From the first of them to the last, in milliseconds; ten minutes unless told, 0 for no limit.")
      .exactOptional(),
    delay_ms: milliseconds
      .describe("Before the second one, in milliseconds; twice as long before each one after it. 1000 unless told.")
      .exactOptional(),
  })
    .describe("How often a request is made again that failed for a reason which may pass.")
    .exactOptional(),
  limits: limits.exactOptional(),
  ask: oneOf(["deny", "wait"])
    .describe("What becomes of a question where nobody can be asked: refused, or kept until someone answers it.")
    .exactOptional(),
  title: flag.describe("Whether the model names new sessions; true unless told.").exactOptional(),
  command: table(command).describe("Slash commands by name.").exactOptional(),
  skills: object({
    paths: list(text).describe("Directories with skills in them, besides the usual ones.").exactOptional(),
  })
    .describe("Where skills are looked for.")
    .exactOptional(),
  subagent_depth: wholeNumber("a whole number, 0 or more", 0)
    .describe("How many subagents may stand below one another; 1 unless told: they start none themselves.")
    .exactOptional(),
  shell: text.describe("The shell that runs commands.").exactOptional(),
  sandbox: sandbox.exactOptional(),
  environment: environmentNames.exactOptional(),
  log: object({
    level: oneOf(["debug", "info", "warn", "error", "off"])
      .describe("From which level on; info unless told. PAWL_LOG_LEVEL and --log-level go before it.")
      .exactOptional(),
  })
    .describe("What is written to the log file, which lies in log/ of the data directory.")
    .exactOptional(),
  upgrade: object({
    notice: flag
      .describe(
        "Whether npm is asked, once a day and after the work, for a newer pawl, of which the next run tells; false unless told. " +
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

/** As it is written in a file, deprecated keys included. */
export type WrittenConfig = z.infer<typeof schema>
export type WrittenAgent = z.infer<typeof agent>
export type PermissionConfig = z.infer<typeof permission>
export type ProviderConfig = z.infer<typeof provider>
export type ModelConfig = z.infer<typeof model>
export type CommandConfig = z.infer<typeof command>
export type McpServerConfig = z.infer<typeof mcpServers>[string]

/** `delegates` as a list, whichever way it was written. */
export type AgentConfig = Omit<WrittenAgent, "tools" | "maxSteps" | "delegates"> & { delegates?: DelegationConfig[] }
export type DelegationConfig = { permission: string; pattern: string }

/** What a configuration says, in the keys of today. */
export type Config = Omit<WrittenConfig, "mode" | "tools" | "agent"> & { agent?: Record<string, AgentConfig> }
