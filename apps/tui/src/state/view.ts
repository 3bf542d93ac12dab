import type { EventMap, ModelRef, Session } from "@pawl/core"
import type { ChoiceRequest, PermissionRequest } from "@pawl/core/host"
import type { ToolPart } from "@pawl/core/record"

/** An entry of the transcript. A finished block does not change any more. */
export type Block = (
  | { readonly type: "prompt"; readonly text: string; readonly attached: readonly string[]; readonly delivery?: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string; readonly took?: number }
  /** A shell command of the user: its call is a block of its own. */
  | { readonly type: "shell"; readonly command: string }
  /** `isOwn`: the user asked for the call, which is shown above. */
  | { readonly type: "tool"; readonly part: ToolPart; readonly isOwn?: boolean }
  | { readonly type: "error"; readonly message: string; readonly hint?: string }
  | { readonly type: "notice"; readonly text: string }
  | { readonly type: "retry"; readonly message: string }
  | { readonly type: "compaction"; readonly about: EventMap["session.compacted"] }
  /** A line that separates what is undone, or the session from the one before. */
  | { readonly type: "divider"; readonly text: string }
  /** Output of a command such as `/help`. */
  | { readonly type: "report"; readonly lines: readonly ReportLine[] }
) & {
  /** The id of the part or message that it shows. */
  readonly id: string
  readonly isDone: boolean
}

/** A styled line, or a row of a table with a name and a text. Names of neighbouring rows are aligned. */
export type ReportLine = string | { readonly name: string; readonly text: string }

/** An open question to the user. */
export type OpenQuestion = (
  | { readonly type: "permission"; readonly request: PermissionRequest }
  | { readonly type: "choice"; readonly request: ChoiceRequest }
) & {
  /** Epoch milliseconds. */
  readonly since: number
}

/** Something that the session waits for. Times are epoch milliseconds. */
export interface Wait {
  readonly label: string
  readonly since: number
  /** Time at which it ends, if that is known. */
  readonly until?: number
}

/** A child session at work. */
export interface Subagent {
  readonly sessionID: string
  readonly parentID: string
  readonly title: string
  readonly agent: string
  readonly isBusy: boolean
  /** Its running call. */
  readonly activity?: string
}

/** A prompt that waits for the next step or the end of the turn. */
export interface QueuedPrompt {
  readonly id: string
  readonly text: string
  readonly mode: string
}

export interface Todo {
  readonly content: string
  readonly status: string
}

/** Tokens and cost of a session. */
export interface Spending {
  /** US dollars. */
  readonly cost: number
  /** Tokens that the newest request held. */
  readonly context: number
  readonly input: number
  readonly cached: number
  readonly output: number
}

/** All that the UI shows about a session. */
export interface SessionView {
  readonly session: Session | undefined
  readonly agent: string | undefined
  readonly model: ModelRef | undefined
  readonly variant: string | undefined
  /** Blocks that are not in the scrollback yet, oldest first. */
  readonly blocks: readonly Block[]
  /** Ids of the newest printed blocks: their parts may be reported again. */
  readonly printed: readonly string[]
  readonly status: "idle" | "busy"
  /** When the turn began. */
  readonly busySince: number | undefined
  /** Wait for the model. */
  readonly modelWait: Wait | undefined
  /** Waits for calls and other parts, by the part's id. */
  readonly waits: ReadonlyMap<string, Wait>
  readonly questions: readonly OpenQuestion[]
  readonly queue: readonly QueuedPrompt[]
  readonly todos: readonly Todo[]
  readonly subagents: ReadonlyMap<string, Subagent>
  readonly spending: Spending
  /** Roles of messages, by id. A `caller` asks for a call of the user, and `called` has that call. */
  readonly roles: ReadonlyMap<string, "user" | "assistant" | "summary" | "waiting" | "caller" | "called">
}

export const emptyView: SessionView = {
  session: undefined,
  agent: undefined,
  model: undefined,
  variant: undefined,
  blocks: [],
  printed: [],
  status: "idle",
  busySince: undefined,
  modelWait: undefined,
  waits: new Map(),
  questions: [],
  queue: [],
  todos: [],
  subagents: new Map(),
  spending: { cost: 0, context: 0, input: 0, cached: 0, output: 0 },
  roles: new Map(),
}
