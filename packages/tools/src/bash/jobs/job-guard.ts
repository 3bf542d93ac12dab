import { spawn } from "node:child_process"
import type { CallMark } from "../call-processes.ts"

/** A process of its own that ends a job should this process die without having been able to. */
export interface JobGuard {
  /** The leader's process id may be another's from now on. */
  forgetLeader(): void
  /** Nothing is left to be ended. */
  release(): void
}

// It reads what it is told; its input ends when this process does, however that comes. It signals the job's group, and
// what carries the token in its environment where the system tells (it does on Linux).
const SCRIPT = `
group=-$1
while read -r word; do
  case $word in
    forget) group= ;;
    release) exit 0 ;;
  esac
done
signal() {
  if [ -n "$group" ]; then kill -s "$1" -- "$group"; fi
  for file in $(grep -alF -- "$2" /proc/[0-9]*/environ); do
    id=\${file#/proc/}
    kill -s "$1" "\${id%/environ}"
  done
}
signal TERM "$2"
if [ "$3" != 0 ]; then
  sleep "$3"
  signal KILL "$2"
fi
`

/** Starts it. Where there is no shell, nothing guards. `stopGrace`: milliseconds from SIGTERM to SIGKILL, 0 being never. */
export function guardJob({ leader, token }: Pick<CallMark, "leader" | "token">, stopGrace: number): JobGuard {
  const child = spawn("sh", ["-c", SCRIPT, "pawl-guard", String(leader ?? 0), token, String(stopGrace / 1000)], {
    detached: true,
    env: { PATH: process.env["PATH"] },
    stdio: ["pipe", "ignore", "ignore"],
  })
  const { stdin } = child
  // It may be gone, or never have come to be.
  for (const source of [child, stdin]) source.on("error", () => undefined)
  child.unref()
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref()
  return {
    forgetLeader: () => void stdin.write("forget\n"),
    release: () => void stdin.end("release\n"),
  }
}
