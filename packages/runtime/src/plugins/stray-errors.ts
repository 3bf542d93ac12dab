import { messageOf } from "@pawl/core/tool"
import type { PluginOrigin } from "@pawl/plugin-loader"

/** Location of a plugin's code. */
export type CodeOrigin = Pick<PluginOrigin, "id" | "entry" | "root">

/** Number of different messages of one plugin that are reported. Further ones are only counted. */
const MAX_MESSAGES = 3

/**
 * Prevents uncaught exceptions from ending the run while plugins of others are loaded, because such exceptions are most
 * likely from a plugin, for example from a child process without an error listener. Work that an exception interrupts
 * ends with its deadline. Reports each message of a plugin once, at most three per plugin. The returned function stops
 * this and reports the number of further messages. The exceptions belong to no session, so they disable no plugin.
 * `places` returns the locations of the loaded plugins.
 */
export function reportStrayErrors(origins: () => readonly CodeOrigin[], notice: (text: string) => void): () => void {
  const counts = createStrayCounts(notice)
  const report = (error: unknown) => {
    const id = error instanceof Error ? blamed(error.stack ?? "", origins()) : undefined
    counts.add(id === undefined ? "a plugin" : `the plugin ${id}`, messageOf(error))
  }
  process.on("uncaughtException", report)
  return () => {
    process.off("uncaughtException", report)
    counts.close()
  }
}

export function createStrayCounts(notice: (text: string) => void) {
  const plugins = new Map<string, { readonly messages: Set<string>; unreported: number }>()
  return {
    add(plugin: string, message: string): void {
      const known = plugins.get(plugin) ?? { messages: new Set(), unreported: 0 }
      plugins.set(plugin, known)
      if (known.messages.has(message) || known.messages.size === MAX_MESSAGES) {
        known.unreported++
        return
      }
      known.messages.add(message)
      notice(`${plugin} failed outside of its hooks: ${message}`)
    },
    /** Reports the counts. */
    close(): void {
      for (const [plugin, { unreported }] of plugins)
        if (unreported > 0)
          notice(`${plugin} failed outside of its hooks ${unreported} more ${unreported === 1 ? "time" : "times"}.`)
      plugins.clear()
    },
  }
}

/**
 * Returns the id of the plugin whose code is nearest to the origin of the error. Undefined if no plugin is on the
 * stack.
 */
export function blamed(stack: string, origins: readonly CodeOrigin[]): string | undefined {
  for (const written of stack.split("\n").filter((each) => /^\s+at /.test(each))) {
    const line = decoded(written)
    // Plugins in the same directory have the same root: only the file distinguishes them.
    const own =
      origins.find(({ entry }) => line.includes(`${entry}:`)) ??
      origins.find((origin) => isAlone(origin, origins, line))
    if (own) return own.id
  }
  return undefined
}

/** Modules have URLs on a stack, in which a space is `%20`. */
function decoded(line: string): string {
  try {
    return line.includes("file:") ? decodeURI(line) : line
  } catch {
    return line
  }
}

function isAlone({ root }: CodeOrigin, origins: readonly CodeOrigin[], line: string): boolean {
  return line.includes(`${root}/`) && origins.filter((other) => other.root === root).length === 1
}
