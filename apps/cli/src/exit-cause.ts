import { fileURLToPath } from "node:url"
import type { EndingCall } from "./ending-calls.ts"

/** Who ended the process, by the stack of the call, for people, such as "the plugin acme". */
export type EnderOf = (stack: string) => string | undefined

const EXIT_CALL = /\n\s+at process\.(?:exit|reallyExit) [^\n]*/
const PLACE = /(file:\/\/\/[^\s()]+|\/[^\s():]+):(\d+):\d+/

/** Returns a sentence that names the code whose call ends the process. */
export function callCause({ name, stack }: EndingCall, enders: Iterable<EnderOf>): string {
  const ender = enderOf(stack, enders) ?? "code that is not pawl's"
  return `${ender}${placeOf(stack)} ended this process by ${name} before its work was done.`
}

/**
 * Why the process ends before its work is done, a sentence; undefined where an exit code alone says it. `stack`: of a
 * listener to the exit, which the call of `process.exit` has on it.
 */
export function exitCause(stack: string, code: number, enders: Iterable<EnderOf>): string | undefined {
  const call = EXIT_CALL.exec(stack)
  if (call) return callCause({ name: "process.exit", stack: stack.slice(call.index + call[0].length) }, enders)
  if (code !== 0) return undefined
  return "something ended this process before its work was done, such as a plugin that leaves nothing to wait for."
}

/** Names the plugin that blocks the main thread, by the stack of the blocking code; undefined if it is not a plugin. */
export function blockCause(stack: string, enders: Iterable<EnderOf>): string | undefined {
  const ender = enderOf(stack, enders)
  return ender && `${ender}${placeOf(stack)} keeps this process busy. Ctrl-C ends it.`
}

function enderOf(stack: string, enders: Iterable<EnderOf>): string | undefined {
  for (const each of enders) {
    const ender = each(stack)
    if (ender !== undefined) return ender
  }
  return undefined
}

function placeOf(stack: string): string {
  const [, file = "", line] = PLACE.exec(stack) ?? []
  if (line === undefined) return ""
  return ` (${file.startsWith("file:") ? fileURLToPath(file) : file}:${line})`
}
