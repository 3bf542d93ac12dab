import type { ConfigProblem } from "../config-error.ts"
import type { LocatedRule } from "../permission-rules.ts"
import type { AgentConfig, CommandConfig } from "../schema.ts"

/** The common fields of all definitions. `source` is a file. */
export interface Definition {
  readonly name: string
  /** Absolute. */
  readonly source: string
  /** True if the file is in the project, which is trusted less than the user's own files. */
  readonly isProject: boolean
}

export interface AgentDefinition extends Definition {
  /** The keys of an agent in a configuration file. Default `mode` of a new agent: `all`. */
  readonly config: Omit<AgentConfig, "permission">
  /** In the order in which they are written. The last matching rule decides. */
  readonly rules: readonly LocatedRule[]
  /**
   * True if an `allow` cannot override an `ask` of other rules, because the rules only select which tools the agent
   * has.
   */
  readonly onlyTightens: boolean
  /**
   * Definitions of the same name that this one replaces, lowest precedence first. A `deny` of the user's own definition
   * still applies if a project replaces it.
   */
  readonly replaces: readonly AgentDefinition[]
}

/** A command. If `isProject` and its template has shell commands, it requires trust. */
export interface CommandDefinition extends Definition, CommandConfig {}

export interface SkillDefinition extends Definition {
  /** Tells the model when to use the skill. */
  readonly description: string
  /** Absolute. Relative paths in the content refer to it. */
  readonly directory: string
  /** The text for the model, without the front matter. */
  readonly content: string
}

/** A file that defines tools. A host imports `source` if its project is trusted. */
export type ToolFile = Definition

/** A file that is a plugin. A host imports it if its project is trusted. */
export type PluginFile = Pick<Definition, "source" | "isProject">

/**
 * A problem in a definition. `error`: the file is ignored. `warning`: a part of it is ignored, or it replaces another
 * definition.
 */
export interface DefinitionProblem extends ConfigProblem {
  readonly severity: "error" | "warning"
}

/** The definitions for a directory. Every list except `plugins` is sorted by name and has each name once. */
export interface Definitions {
  readonly agents: readonly AgentDefinition[]
  readonly commands: readonly CommandDefinition[]
  readonly skills: readonly SkillDefinition[]
  readonly tools: readonly ToolFile[]
  /** By precedence of their directories, lowest first, and then by path. All of them apply. */
  readonly plugins: readonly PluginFile[]
  /** In the order of the files, lowest precedence first. */
  readonly problems: readonly DefinitionProblem[]
}
