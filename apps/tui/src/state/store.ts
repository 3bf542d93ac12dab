import { type Action, reduce } from "./reduce.ts"
import { emptyView, type SessionView } from "./view.ts"

/** Holds the view of the shown session. */
export interface ViewStore {
  readonly view: () => SessionView
  readonly dispatch: (action: Action) => void
  /** Starts over with another session. */
  readonly clear: () => void
}

export function createViewStore(onChange: () => void): ViewStore {
  let view = emptyView
  return {
    view: () => view,
    dispatch(action) {
      const next = reduce(view, action)
      if (next === view) return
      view = next
      onChange()
    },
    clear() {
      view = emptyView
      onChange()
    },
  }
}
