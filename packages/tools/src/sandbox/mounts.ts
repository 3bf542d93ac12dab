import { dirname } from "node:path"

/** What a place on the disk is inside of the sandbox. All paths are absolute, links resolved. */
export type Mount =
  | { readonly type: "writable" | "read-only"; readonly path: string; readonly from?: string }
  | { readonly type: "empty-directory"; readonly path: string }
  | { readonly type: "empty-file"; readonly path: string }

/**
 * The arguments of bubblewrap for a read-only machine with these exceptions. Of two that are nested the inner one counts
 * for what is below it; of two for the same path the last.
 */
export function mountArguments(mounts: readonly Mount[]): readonly string[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]))
  const outerFirst = [...byPath.values()].toSorted((a, b) => depth(a.path) - depth(b.path))
  const emptied = outerFirst.filter(({ type }) => type === "empty-directory")
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev"],
    // Read-only, since root could set the kernel's own settings there.
    ...["--proc", "/proc", "--remount-ro", "/proc"],
    ...outerFirst.flatMap(toArguments),
    // What is mounted below has its place by now.
    ...emptied.flatMap(({ path }) => ["--remount-ro", path]),
  ]
}

function toArguments(mount: Mount): readonly string[] {
  switch (mount.type) {
    case "writable":
      return ["--bind", mount.from ?? mount.path, mount.path]
    case "read-only":
      return ["--ro-bind", mount.from ?? mount.path, mount.path]
    case "empty-directory":
      return ["--tmpfs", mount.path]
    case "empty-file":
      return ["--ro-bind", "/dev/null", mount.path]
  }
}

function depth(path: string): number {
  return dirname(path) === path ? 0 : path.split("/").length
}
