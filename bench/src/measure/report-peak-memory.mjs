// Loaded with --import: writes the most memory that this process had resident, in KiB, to the file PEAK_MEMORY_FILE.
import { readFileSync, writeFileSync } from "node:fs"

process.on("exit", () => writeFileSync(process.env["PEAK_MEMORY_FILE"] ?? "", String(peak())))

// Linux lets a process begin with the maxRSS of the process that started it. VmHWM is its own.
function peak() {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1])
}
