import { constants, lstatSync, mkdirSync, renameSync, statSync, unlinkSync } from "node:fs"
import { open } from "node:fs/promises"
import { dirname, join } from "node:path"
import { assertSamePlace } from "./assert-same-place.ts"
import type { HeldDirectory } from "./held-directory.ts"
import { MovedDirectoryError } from "./moved-directory-error.ts"
import { hasCode } from "./system-error.ts"

/**
 * For systems that look names up by path alone: checks before and after each use that the path leads to the same
 * directory, by device and inode. A swap right between check and use is noticed afterwards.
 */
export function holdByIdentity(path: string, make: boolean): HeldDirectory {
  if (make) makeAll(path)
  const held = statSync(path, { bigint: true })
  if (!held.isDirectory())
    throw Object.assign(new Error(`ENOTDIR: not a directory, '${path}'`), { code: "ENOTDIR", path })
  const assertInPlace = () => assertSamePlace(path, held)
  assertInPlace()
  const at = (name: string) => {
    assertInPlace()
    return join(path, name)
  }
  const inodeOf = (name: string) => lstatSync(at(name), { bigint: true, throwIfNoEntry: false })?.ino
  const close = () => {}
  return {
    ...{ path, at, assertInPlace, close, [Symbol.dispose]: close },
    async open(name, flags, mode) {
      const handle = await open(at(name), flags | (constants.O_NOFOLLOW ?? 0), mode)
      try {
        const { ino } = await handle.stat({ bigint: true })
        if (inodeOf(name) !== ino) throw new MovedDirectoryError(path)
        return handle
      } catch (error) {
        await handle.close()
        throw error
      }
    },
    stat: (name) => lstatSync(at(name), { throwIfNoEntry: false }),
    rename(from, to) {
      const moved = inodeOf(from)
      renameSync(at(from), join(path, to))
      if (inodeOf(to) !== moved) throw new MovedDirectoryError(path)
    },
    unlink(name) {
      unlinkSync(at(name))
      assertInPlace()
    },
  }
}

function makeAll(path: string): void {
  const missing: string[] = []
  for (let at = path; !lstatSync(at, { throwIfNoEntry: false }) && dirname(at) !== at; at = dirname(at))
    missing.unshift(at)
  for (const directory of missing) {
    const parent = dirname(directory)
    assertSamePlace(parent, statSync(parent, { bigint: true }))
    try {
      mkdirSync(directory)
    } catch (error) {
      // Another process may have made it since.
      if (!hasCode(error, "EEXIST")) throw error
    }
  }
}
