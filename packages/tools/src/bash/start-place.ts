import type { PermissionNeed } from "@pawl/core/tool"
import { displayName } from "../display-name.ts"
import { relativeName, resolvePath } from "../paths.ts"
import type { ToolPaths } from "../tool-paths.ts"
import { isDirectory, type Place, type SessionDirectories } from "./session-directories.ts"

/** Where commands start, and where they leave their session. */
export interface StartPlaces {
  /** Before the call: where it will start, and what has to be allowed for that. Holds for this call alone. */
  judge(call: StartCall, place: Place): Promise<{ readonly cwd: string; readonly needs: readonly PermissionNeed[] }>
  /** Where the call starts, links resolved. Rejects where that is no directory, or leads elsewhere than when judged. */
  use(call: StartCall, place: Place): Promise<string>
  /** Takes note of where a command ended; returns what the model is to know of it. */
  ended(place: Place, from: string, to: string): Promise<string | undefined>
}

export interface StartCall {
  readonly workdir?: string | undefined
}

export interface StartPlacesOptions {
  readonly paths: ToolPaths
  readonly directories: SessionDirectories
}

export function createStartPlaces({ paths, directories }: StartPlacesOptions): StartPlaces {
  // Another call may end elsewhere between the two.
  const judged = new WeakMap<StartCall, string>()
  const startOf = (call: StartCall, place: Place) => judged.get(call) ?? call.workdir ?? directories.next(place)
  return {
    async judge(call, place) {
      const start = call.workdir ?? directories.next(place)
      judged.set(call, start)
      const cwd = resolvePath(start, place)
      const needs = await paths.needs(call, start, place)
      // To start there shows nothing of it, also where it is no project.
      return { cwd, needs: cwd === resolvePath(".", place) ? [] : needs }
    },
    async use(call, place) {
      const { shown, target } = await paths.use(call, startOf(call, place), place)
      if (await isDirectory(target)) return target
      if (call.workdir !== undefined) {
        throw new Error(`Working directory not found: ${shown}. Give a workdir that is an existing directory.`)
      }
      directories.reset(place)
      throw new Error(
        `Working directory not found: ${shown}, where the last command ended. The next one starts in ${place.directory}.`,
      )
    },
    async ended(place, from, to) {
      const move = await directories.ended(place, from, to)
      if (move.type === "stayed") return undefined
      const name = displayName(relativeName(place.directory, move.to))
      if (move.type === "moved") return `The next command starts in ${name}.`
      return `${displayName(move.to)} is outside of the project: the next command starts in ${place.directory}.`
    },
  }
}
