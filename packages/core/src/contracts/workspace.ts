/** A text with rules for the agent. */
export interface Instruction {
  /** Absolute path, as it was named or found; the address of a fetched text. */
  readonly path: string
  readonly text: string
}

export interface Instructions {
  /** Instructions in the order of the system prompt. */
  readonly instructions: readonly Instruction[]
  /** Notices for the user about sources that could not be read. */
  readonly notices: readonly string[]
}

export interface InstructionQuery {
  readonly directory: string
  readonly worktree: string
  /** Further sources from the settings, in order: absolute paths and addresses. A missing file is skipped. */
  readonly files: readonly string[]
}

export interface NestedInstructionQuery {
  /** The session's directory. Instructions in it or above are part of the system prompt. */
  readonly directory: string
  readonly worktree: string
  /** The file or directory that the agent has reached. No instructions are nested outside of `directory`. */
  readonly path: string
  /** Absolute paths of the files that the model has read already. Returned files are added. */
  readonly loaded: Set<string>
}

export interface ProjectQuery {
  /** Absolute path. */
  readonly directory: string
  /** Environment of child processes. */
  readonly environment: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Reads what surrounds a session's directory. The host supplies it. */
export interface WorkspaceReader {
  /** Returns the root of the repository that holds the directory; undefined outside of one. Starts no process. */
  findWorktree(directory: string): Promise<string | undefined>
  /** Returns an id that the clones of a repository share; undefined if there is no such id. May take long. */
  findProjectID(query: ProjectQuery): Promise<string | undefined>
  /** Loads the instructions of a session. Never rejects because of a missing or unreadable source. */
  loadInstructions(query: InstructionQuery): Promise<Instructions>
  /** Returns the unread instructions between the session's directory and `path`, outermost first. */
  nestedInstructions(query: NestedInstructionQuery): Promise<readonly Instruction[]>
  /** Reads one nested instruction again; undefined if it is empty, missing, or a link out of the worktree. */
  readInstruction(path: string, worktree: string): Promise<Instruction | undefined>
}

/** The workspace of an engine whose host supplies no reader: a directory without repository and instructions. */
export const noWorkspace: WorkspaceReader = {
  findWorktree: async () => undefined,
  findProjectID: async () => undefined,
  loadInstructions: async () => ({ instructions: [], notices: [] }),
  nestedInstructions: async () => [],
  readInstruction: async () => undefined,
}
