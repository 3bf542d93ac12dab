import { messageOf } from "@pawl/core"
import type { PluginPlace } from "@pawl/plugin-loader"

/** Where a plugin's code lies. */
export type CodePlace = Pick<PluginPlace, "id" | "entry" | "root">

/**
 * Errors that nobody caught end no run while plugins of others are loaded: theirs they are, as far as can be told, such
 * as of a child process that nobody listens to. What they leave undone ends with its deadline. `places` are those of the
 * plugins that are loaded now.
 */
export function tellStrayErrors(places: () => readonly CodePlace[], notice: (text: string) => void): () => void {
  const tell = (error: unknown) => {
    const id = error instanceof Error ? blamed(error.stack ?? "", places()) : undefined
    notice(`${id === undefined ? "a plugin" : `the plugin ${id}`} failed outside of its hooks: ${messageOf(error)}`)
  }
  process.on("uncaughtException", tell)
  return () => void process.off("uncaughtException", tell)
}

/** Whose code stands nearest to where the error was made; undefined where none of it is on the stack. */
export function blamed(stack: string, places: readonly CodePlace[]): string | undefined {
  for (const line of stack.split("\n").filter((each) => /^\s+at /.test(each))) {
    // Plugins of one directory have it as their root: there the file alone tells them apart.
    const own =
      places.find(({ entry }) => line.includes(`${entry}:`)) ?? places.find((place) => isAlone(place, places, line))
    if (own) return own.id
  }
  return undefined
}

function isAlone({ root }: CodePlace, places: readonly CodePlace[], line: string): boolean {
  return line.includes(`${root}/`) && places.filter((other) => other.root === root).length === 1
}
