import { join } from "node:path"
import type { Subject } from "./subject.ts"

export const sqlite: Subject = {
  name: "sqlite",
  kind: "files",
  calls: ["pwrite64", "fdatasync", "fsync", "ftruncate", "openat", "unlink", "mkdir", "write"],
  journal: /-wal$/,
  url: (directory) => `sqlite:${join(directory, "store", "pawl.db")}`,
}
