import type { ConfigProblem } from "../config-error.ts"
import type { LocatedRule } from "../permission-rules.ts"
import type { AgentConfig, CommandConfig } from "../schema.ts"

/** The common fields of all definitions. The source is a file. */
export interface Definition {
  readonly name: string
  /** Absolute. */
  readonly source: string
  /** Came with the project: it is trusted with less. */
  readonly isProject: boolean
}

export interface AgentDefinition extends Definition {
  /** As in a configuration file. A `mode` that is absent is `all` for a new agent. */
  readonly config: Omit<AgentConfig, "permission">
  /** In the order they are written: of those that fit, the last one counts. */
  readonly rules: readonly LocatedRule[]
  /** The rules' `allow` lifts nothing that others ask for: they say which tools there are, not what is approved. */
  readonly onlyTightens: boolean
  /**
   * Definitions of the same name that this one replaces, lowest precedence first. A `deny` of the user's own definition
   * still applies if a project replaces it.
   */
  readonly replaces: readonly AgentDefinition[]
}

/** `isProject` together with shell commands in the template is a matter of trust. */
export interface CommandDefinition extends Definition, CommandConfig {}

export interface SkillDefinition extends Definition {
  /** When to use it. */
  readonly description: string
  /** Absolute: files that the content speaks of are relative to it. */
  readonly directory: string
  /** The text for the model, without the front matter. */
  readonly content: string
}

/** A file that holds tools: `source` is to be imported, once its project is trusted. */
export type ToolFile = Definition

/** A file that is a plugin: to be imported, once its project is trusted. */
export type PluginFile = Pick<Definition, "source" | "isProject">

/** An `error`: the file does not count. A `warning`: something in it does not, or it takes another one's place. */
export interface DefinitionProblem extends ConfigProblem {
  readonly severity: "error" | "warning"
}

/** Each list but `plugins` in the order of names. Of a name there is one in each. */
export interface Definitions {
  readonly agents: readonly AgentDefinition[]
  readonly commands: readonly CommandDefinition[]
  readonly skills: readonly SkillDefinition[]
  readonly tools: readonly ToolFile[]
  /** In the order of the places, lowest precedence first, and of their paths: all of them count. */
  readonly plugins: readonly PluginFile[]
  /** In the order of the files, lowest precedence first. */
  readonly problems: readonly DefinitionProblem[]
}
