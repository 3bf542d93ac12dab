/** The actions of keys. `actions/key-actions.ts` has their effects. */
export const keyTable = {
  send: { keys: ["enter"], description: "send the prompt; while it works: for its next step" },
  queue: { keys: ["alt+enter"], description: "while it works: send the prompt after the turn" },
  "take-back": { keys: ["alt+up"], description: "take the newest waiting prompt back into the editor" },
  interrupt: { keys: ["escape"], description: "interrupt the work; what was done is kept" },
  rewind: { keys: ["escape escape"], description: "if the prompt is empty: go back to before one of your prompts" },
  "search-prompts": { keys: ["ctrl+r"], description: "search your earlier prompts, of all sessions" },
  palette: { keys: ["ctrl+p"], description: "all commands and actions" },
  "edit-prompt": { keys: ["ctrl+g"], description: "edit the prompt in $VISUAL or $EDITOR" },
  stash: { keys: ["ctrl+s"], description: "put the prompt aside, or take it back" },
  "paste-image": { keys: ["ctrl+v"], description: "attach the image of the clipboard" },
  "cycle-agent": { keys: ["shift+tab"], description: "next agent, such as plan or build" },
  "cycle-model": { keys: ["alt+m"], description: "next one of your favourite models (Ctrl-F in /model marks one)" },
  "cycle-variant": { keys: ["alt+v"], description: "next variant of the model, such as another level of reasoning" },
  fold: { keys: ["ctrl+o"], description: "show outputs in full, or folded, from here on" },
  todos: { keys: ["ctrl+t"], description: "show or hide the todo list" },
  redraw: { keys: ["ctrl+l"], description: "draw the lower lines again" },
  suspend: { keys: ["ctrl+z"], description: "stop pawl; fg continues" },
  leave: { keys: ["ctrl+c"], description: "clear the prompt; twice: leave" },
  exit: { keys: ["ctrl+d"], description: "leave, if the prompt is empty" },
} as const satisfies Readonly<Record<string, KeyAction>>

export interface KeyAction {
  readonly keys: readonly string[]
  /** Shown by `/help`. */
  readonly description: string
}

export type ActionName = keyof typeof keyTable

/** Keys of the user, by action. An empty list removes the action's keys. */
export type KeyChoices = Readonly<Partial<Record<ActionName, readonly string[]>>>

/** Time within which a key counts as pressed twice. */
export const TWICE_MS = 600

/** Returns the action of each key, and of keys that are pressed twice, such as `escape escape`. Choices of the user replace the default keys of their actions. */
export function actionsByKey(choices: KeyChoices = {}): ReadonlyMap<string, ActionName> {
  const names = Object.keys(keyTable) as ActionName[]
  const byKey = new Map<string, ActionName>()
  for (const name of names) for (const key of keyTable[name].keys) if (!choices[name]) byKey.set(key, name)
  for (const name of names) for (const key of choices[name] ?? []) byKey.set(key, name)
  return byKey
}
