import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
} from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { assertSamePlace } from "./assert-same-place.ts"
import type { HeldDirectory } from "./held-directory.ts"
import { MovedDirectoryError } from "./moved-directory-error.ts"
import { hasCode, naming } from "./system-error.ts"

const DESCRIPTORS = "/proc/self/fd"
// O_PATH, which Node does not name: a descriptor for looking up names, which does not need the right to list them.
const NAMES_ONLY = 0o10000000
const DIRECTORY = NAMES_ONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

export function canHoldByDescriptor(): boolean {
  return process.platform === "linux" && existsSync(DESCRIPTORS)
}

/** For Linux, where `/proc/self/fd/N/name` is a name in the directory that is open as N, wherever that is by now. */
export function holdByDescriptor(path: string, make: boolean): HeldDirectory {
  const descriptor = walk(path, make)
  const here = `${DESCRIPTORS}/${descriptor}`
  const at = (name: string) => `${here}/${name}`
  const named = naming(here, path)
  let isOpen = true
  const close = () => {
    if (isOpen) closeSync(descriptor)
    isOpen = false
  }
  return {
    ...{ path, at, close, [Symbol.dispose]: close },
    open: (name, flags, mode) => open(at(name), flags | constants.O_NOFOLLOW, mode).catch(named.rethrow),
    stat: (name) => named.run(() => lstatSync(at(name), { throwIfNoEntry: false })),
    rename: (from, to) => named.run(() => renameSync(at(from), at(to))),
    unlink: (name) => named.run(() => unlinkSync(at(name))),
    assertInPlace: () => assertSamePlace(path, fstatSync(descriptor, { bigint: true })),
  }
}

/** Enters one directory after the other, so that no step follows a link. */
function walk(path: string, make: boolean): number {
  let descriptor = openSync("/", DIRECTORY)
  let reached = "/"
  for (const name of path.split("/").filter((each) => each !== "")) {
    const parent = descriptor
    try {
      descriptor = naming(`${DESCRIPTORS}/${parent}`, reached).run(() => enter(parent, name, make))
    } catch (error) {
      if (!hasCode(error, "ENOTDIR")) throw error
      throw isInTheWay(parent, name) ? error : new MovedDirectoryError(path)
    } finally {
      closeSync(parent)
    }
    reached = join(reached, name)
  }
  return descriptor
}

function enter(parent: number, name: string, make: boolean): number {
  const path = `${DESCRIPTORS}/${parent}/${name}`
  try {
    return openSync(path, DIRECTORY)
  } catch (error) {
    if (!make || !hasCode(error, "ENOENT")) throw error
  }
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have made it since.
    if (!hasCode(error, "EEXIST")) throw error
  }
  return openSync(path, DIRECTORY)
}

/** Is it a file, and neither a link nor a directory that has come back? */
function isInTheWay(parent: number, name: string): boolean {
  const found = lstatSync(`${DESCRIPTORS}/${parent}/${name}`, { throwIfNoEntry: false })
  return found !== undefined && !found.isSymbolicLink() && !found.isDirectory()
}
