import type {
  ContextReport,
  DeliveryMode,
  EngineEvent,
  MessageWithParts,
  ModelRef,
  Session,
  SessionDiff,
  UndoReport,
} from "@pawl/core"
import type { Answer } from "@pawl/core/record"
import type { Usage } from "@pawl/reports/usage/usage"
import type { NoteFile } from "@pawl/runtime/notes/note-files"
import type { ProposedChange } from "@pawl/terminal-text/proposed-change"
import type { OpenQuestion, QueuedPrompt } from "../state/view.ts"

/** A session as it is stored, with everything that is open in it. */
export interface OpenedSession {
  readonly session: Session
  /** Newest messages, oldest first. */
  readonly messages: readonly MessageWithParts[]
  /** True if there are older messages than these. */
  readonly hasMore: boolean
  readonly queue: readonly QueuedPrompt[]
  readonly questions: readonly OpenQuestion[]
}

export interface AgentChoice {
  readonly name: string
  readonly description?: string
  readonly color?: string
}

export interface ModelChoice {
  readonly ref: ModelRef
  readonly name: string
  /** Tokens of the window; 0 if unknown. */
  readonly context: number
  readonly variants: readonly string[]
}

export interface CommandChoice {
  readonly name: string
  readonly description?: string
}

/** A prompt of the user. Choices that are missing are those of the session. */
export interface SentPrompt {
  readonly sessionID: string
  /** As typed: a slash command of the project, and files and agents behind @. */
  readonly text: string
  /** Paths of files to attach. Default: none. */
  readonly files?: readonly string[] | undefined
  readonly agent?: string | undefined
  readonly model?: ModelRef | undefined
  readonly variant?: string | undefined
  /** For a running session. */
  readonly delivery?: DeliveryMode | undefined
}

/** A shell command that the user runs directly. The model reads it and its output with the next prompt. */
export interface ShellCommand extends Pick<SentPrompt, "sessionID" | "agent" | "model"> {
  readonly command: string
}

/** Facts to show beside a question. */
export interface QuestionDetails {
  /** The whole input of the call. */
  readonly input?: Readonly<Record<string, unknown>>
  /** The change that the call would make. */
  readonly change?: ProposedChange
  /** The rule that requires the question. */
  readonly because?: string
}

export interface SessionSearch {
  /** Words of the title. Default: all sessions of the directory. */
  readonly text?: string
  /** Also finds the sessions of subagents. */
  readonly hasSubagents?: boolean
  readonly limit: number
}

/** A text of a session with the searched words. */
export interface TextHit {
  readonly sessionID: string
  readonly messageID: string
  readonly title: string
  /** Epoch milliseconds, of the session's last change. */
  readonly updated: number
  /** The text around the words, in one line. */
  readonly excerpt: string
}

/** Tokens and costs of a session. */
export interface SessionSpending {
  /** Oldest first. */
  readonly turns: readonly { readonly prompt: string; readonly usage: Usage }[]
  readonly own: Usage
  readonly subagents: readonly { readonly title: string; readonly agent: string; readonly usage: Usage }[]
  readonly total: Usage
}

type ShellRef = Pick<BackgroundShell, "sessionID" | "id">

/** A background command of a session. */
export interface BackgroundShell {
  readonly id: string
  readonly sessionID: string
  readonly command: string
  /** Epoch milliseconds. */
  readonly started: number
  /** Missing while it runs. */
  readonly end?: {
    readonly exit: number | null
    readonly signal: string | null
    readonly stopped?: "kill" | "timeout" | "abort"
    readonly time: number
  }
  readonly lastLine: string
}

/**
 * The sessions of a directory, in this process or on a server. The UI knows nothing else of an engine. Methods reject with
 * an Error whose message is a sentence for the user.
 */
export interface Source {
  readonly directory: string
  /** Agent, model and variant of a new session. Without a model, the first answer reports it. */
  readonly usual: {
    readonly agent: string
    readonly model: ModelRef | undefined
    readonly variant?: string | undefined
  }
  mask(text: string): string
  /** Calls back with each event, in order. Returns the function that ends it. */
  subscribe(listener: (event: EngineEvent) => void): () => void
  /** Returns a new session, which is stored with its first prompt. */
  newSession(): Promise<Session>
  openSession(id: string): Promise<OpenedSession>
  sessions(search: SessionSearch): Promise<readonly Session[]>
  children(id: string): Promise<readonly Session[]>
  /** Returns the newest messages of a session, oldest first. */
  messages(sessionID: string, limit: number): Promise<readonly MessageWithParts[]>
  /** Finds texts with all words, in one session or in those of the directory, newest first. */
  search(words: string, options: { readonly sessionID?: string; readonly limit: number }): Promise<readonly TextHit[]>
  spending(sessionID: string): Promise<SessionSpending>
  /** Writes a session into a file: its document if the name ends with `.json`, or its transcript. Masks secrets. */
  export(sessionID: string, file: string): Promise<void>
  /** Sends a prompt. Resolves once it is answered, queued or refused; events report everything between. */
  prompt(prompt: SentPrompt): Promise<void>
  /** Runs a command of the user in a shell, under the agent's rules. Rejects while the session works. */
  shell(command: ShellCommand): Promise<void>
  /** Returns the background commands of a session, oldest first. Secrets are masked. */
  shells(sessionID: string): Promise<readonly BackgroundShell[]>
  /** Returns the end of a background command's output so far. `omitted`: bytes before it. */
  shellOutput(shell: ShellRef): Promise<{ readonly text: string; readonly omitted: number }>
  /** Ends a background command with all that it started. Resolves with false if it has ended already. */
  stopShell(shell: ShellRef): Promise<boolean>
  /** Continues interrupted work of a session. */
  resume(sessionID: string): Promise<void>
  abort(sessionID: string): Promise<void>
  answer(question: OpenQuestion, answer: Answer): Promise<void>
  details(question: OpenQuestion): Promise<QuestionDetails>
  /** Takes a waiting prompt back. Resolves with false if it was delivered already. */
  withdraw(sessionID: string, promptID: string): Promise<boolean>
  /** Agents that a session can have. */
  agents(): Promise<readonly AgentChoice[]>
  /** Agents that a prompt can name behind an @. */
  subagents(): Promise<readonly AgentChoice[]>
  models(): Promise<readonly ModelChoice[]>
  /** Slash commands that produce prompts: built-in ones, those of files and of plugins. */
  commands(): Promise<readonly CommandChoice[]>
  /** Returns paths of the project that match, the best first. */
  findFiles(query: string, limit: number): Promise<readonly string[]>
  undo(
    sessionID: string,
    point?: { readonly messageID?: string; readonly chat?: boolean; readonly files?: boolean },
  ): Promise<UndoReport>
  redo(sessionID: string): Promise<UndoReport>
  /** Returns the changes of a session, or of the turn of a message. */
  diff(sessionID: string, messageID?: string): Promise<SessionDiff>
  /** Returns the files to which a note can be added. Rejects if they cannot be written from here. */
  noteFiles(): Promise<readonly NoteFile[]>
  /** Adds a note to one of these files. */
  addNote(file: NoteFile, note: string): Promise<void>
  compact(sessionID: string, focus?: string): Promise<void>
  context(sessionID: string): Promise<ContextReport>
  fork(sessionID: string, messageID?: string): Promise<Session>
  rename(sessionID: string, title: string): Promise<void>
  remove(sessionID: string): Promise<void>
  close(): Promise<void>
}
