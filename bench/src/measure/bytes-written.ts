import { readFileSync } from "node:fs"

/** Returns the bytes that this process has written to files and sockets. Undefined outside of Linux. */
export function bytesWritten(): number | undefined {
  if (process.platform !== "linux") return undefined
  return Number(/wchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))?.[1])
}
