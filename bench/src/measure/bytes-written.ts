import { readFileSync } from "node:fs"

/** Bytes that this process has passed to write calls so far, of files and sockets. Undefined outside of Linux. */
export function bytesWritten(): number | undefined {
  if (process.platform !== "linux") return undefined
  return Number(/wchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1])
}
