import { dirname } from "node:path"

/** The view of one path inside of the sandbox. All paths are absolute and real. */
export type Mount =
  | { readonly type: "writable" | "read-only"; readonly path: string; readonly from?: string }
  | { readonly type: "empty-directory"; readonly path: string }
  | { readonly type: "empty-file"; readonly path: string }

/**
 * Returns bubblewrap's arguments for a read-only machine with these exceptions. A nested mount overrides the outer one;
 * of two mounts for the same path the last one counts.
 */
export function mountArguments(mounts: readonly Mount[]): readonly string[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]))
  const outerFirst = [...byPath.values()].toSorted((a, b) => depth(a.path) - depth(b.path))
  const emptied = outerFirst.filter(({ type }) => type === "empty-directory")
  return [
    ...["--ro-bind", "/", "/", "--dev", "/dev"],
    // Read-only, because root could change kernel settings there.
    ...["--proc", "/proc", "--remount-ro", "/proc"],
    ...outerFirst.flatMap(toArguments),
    // Only after the nested mounts are in place.
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
