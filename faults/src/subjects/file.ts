import { join } from "node:path"
import type { Subject } from "./subject.ts"

export const file: Subject = {
  name: "file",
  kind: "files",
  calls: [
    "write",
    "fdatasync",
    "fsync",
    "rename",
    "link",
    "unlink",
    "openat",
    "mkdir",
    "ftruncate",
    "rmdir",
    "utimensat",
  ],
  journal: /\.pawl\/journal\//,
  url: (directory) => `file:${join(directory, "store")}`,
}
