import type { EditedText } from "../terminal/edited-text.ts"
import { parseCommand } from "./command.ts"
import { leaveInsert, runCommand } from "./run-command.ts"
import type { VimState, VimStep } from "./vim-state.ts"
import { visualKeys } from "./visual.ts"

/**
 * Handles a key: a character, or `escape` and `ctrl+r`.
 *
 *   insert ──escape──▶ normal ──i a I A o O c──▶ insert
 *                      normal ──v V──▶ visual ──escape, operators──▶ normal
 */
export function vimKey(state: VimState, key: string, edited: EditedText): VimStep {
  if (state.mode === "insert") return key === "escape" ? leaveInsert(state, edited) : { state, edited, effect: "pass" }
  if (key === "escape") return { state: { ...state, mode: "normal", keys: "" }, edited }
  const keys = state.keys + key
  if (state.mode !== "normal") return visualKeys(state, key === "ctrl+r" ? "" : keys, edited)
  const command = key === "ctrl+r" ? redo(state.keys) : parseCommand(keys)
  if (command === "more") return { state: { ...state, keys }, edited }
  const next = { ...state, keys: "" }
  return command ? runCommand(next, command, edited) : { state: next, edited }
}

function redo(written: string) {
  const count = /^\d+$/.test(written) ? { count: Number(written) } : {}
  return { type: "simple", name: "redo", ...count } as const
}
