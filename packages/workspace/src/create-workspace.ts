import type { WorkspaceReader } from "@pawl/core/host"
import { findProjectID } from "./find-project-id.ts"
import { readInstructionFile } from "./instruction-file.ts"
import { loadInstructions } from "./instructions.ts"
import { nestedInstructions } from "./nested.ts"
import { createRemoteReader } from "./remote.ts"
import { findWorktree } from "./worktree.ts"

export interface WorkspaceOptions {
  /** Fetches instructions from http(s) addresses. Default: the global `fetch` */
  readonly fetch?: typeof globalThis.fetch
}

/** Creates the reader of git repositories and instruction files. Keeps the texts of addresses. */
export function createWorkspace({ fetch }: WorkspaceOptions = {}): WorkspaceReader {
  const readRemote = createRemoteReader({ fetch })
  return {
    findWorktree,
    findProjectID,
    loadInstructions: (places) => loadInstructions({ ...places, readRemote }),
    nestedInstructions,
    readInstruction: readInstructionFile,
  }
}
