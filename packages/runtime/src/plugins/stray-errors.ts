import { messageOf } from "@pawl/core/tool"
import type { PluginPlace } from "@pawl/plugin-loader"

/** Location of a plugin's code. */
export type CodePlace = Pick<PluginPlace, "id" | "entry" | "root">

/** Messages of one plugin that are told; all others are counted. */
const MAX_MESSAGES = 3

/**
 * Keeps errors that are not caught from ending the run while plugins of others are loaded: such errors are the plugins', as
 * far as can be told, for example of a child process without a listener. What they leave undone ends with its deadline.
 * Tells each message of a plugin once, at most three of them; the returned function stops, and tells how many more there
 * were. They belong to no session, so they disable no plugin. `places` are those of the plugins that are loaded now.
 */
export function tellStrayErrors(places: () => readonly CodePlace[], notice: (text: string) => void): () => void {
  const counts = createStrayCounts(notice)
  const tell = (error: unknown) => {
    const id = error instanceof Error ? blamed(error.stack ?? "", places()) : undefined
    counts.add(id === undefined ? "a plugin" : `the plugin ${id}`, messageOf(error))
  }
  process.on("uncaughtException", tell)
  return () => {
    process.off("uncaughtException", tell)
    counts.close()
  }
}

export function createStrayCounts(notice: (text: string) => void) {
  const plugins = new Map<string, { readonly messages: Set<string>; untold: number }>()
  return {
    add(plugin: string, message: string): void {
      const known = plugins.get(plugin) ?? { messages: new Set(), untold: 0 }
      plugins.set(plugin, known)
      if (known.messages.has(message) || known.messages.size === MAX_MESSAGES) {
        known.untold++
        return
      }
      known.messages.add(message)
      notice(`${plugin} failed outside of its hooks: ${message}`)
    },
    /** Tells the counts. */
    close(): void {
      for (const [plugin, { untold }] of plugins)
        if (untold > 0)
          notice(`${plugin} failed outside of its hooks ${untold} more ${untold === 1 ? "time" : "times"}.`)
      plugins.clear()
    },
  }
}

/** Whose code stands nearest to where the error was made; undefined where none of it is on the stack. */
export function blamed(stack: string, places: readonly CodePlace[]): string | undefined {
  for (const written of stack.split("\n").filter((each) => /^\s+at /.test(each))) {
    const line = decoded(written)
    // Plugins of one directory have it as their root: there the file alone tells them apart.
    const own =
      places.find(({ entry }) => line.includes(`${entry}:`)) ?? places.find((place) => isAlone(place, places, line))
    if (own) return own.id
  }
  return undefined
}

/** Modules have addresses on a stack, in which a space is `%20`. */
function decoded(line: string): string {
  try {
    return line.includes("file:") ? decodeURI(line) : line
  } catch {
    return line
  }
}

function isAlone({ root }: CodePlace, places: readonly CodePlace[], line: string): boolean {
  return line.includes(`${root}/`) && places.filter((other) => other.root === root).length === 1
}
