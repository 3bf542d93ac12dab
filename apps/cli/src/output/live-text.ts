import type { Flow } from "@pawl/terminal-text/flow"
import { plainText } from "@pawl/plain-text"

/** How long deltas are collected before they are shown, in milliseconds: a screen's refresh. */
const COLLECTING = 16

/**
 * Shows text as it comes, without the white space around it and without control characters, and in few writes however many
 * deltas there are.
 */
export interface LiveText {
  append(delta: string): void
  /** Shows what was collected, and forgets white space at the end. True when anything was shown since the last end. */
  end(): boolean
}

export function createLiveText(flow: Flow, show: (text: string) => void): LiveText {
  let collected = ""
  let hasShown = false
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const text = hasShown ? collected : collected.trimStart()
    const ready = withoutHalf(text.trimEnd())
    // White space waits for what follows it, and so does half of a character.
    collected = text.slice(ready.length)
    if (ready === "") return
    hasShown = true
    show(flow.push(plainText(ready)))
  }

  return {
    append(delta) {
      collected += delta
      timer ??= setTimeout(flush, COLLECTING)
    },
    end() {
      flush()
      const shown = hasShown
      if (shown) show(flow.end())
      collected = ""
      hasShown = false
      return shown
    },
  }
}

/** Without the first half of a character whose second half is still to come. */
function withoutHalf(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text
}
