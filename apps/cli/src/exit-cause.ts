import { fileURLToPath } from "node:url"

/** Names the code that ended the process by the stack of the call, such as "the plugin acme". */
export type EnderOf = (stack: string) => string | undefined

const EXIT_CALL = /\n\s+at process\.(?:exit|reallyExit) [^\n]*/
const PLACE = /(file:\/\/\/[^\s()]+|\/[^\s():]+):(\d+):\d+/

/**
 * Returns a sentence about the cause of an unexpected exit; undefined if the exit code is sufficient. `stack` is that
 * of an exit listener, which includes the call of `process.exit`.
 */
export function exitCause(stack: string, code: number, enders: Iterable<EnderOf>): string | undefined {
  const call = EXIT_CALL.exec(stack)
  if (call) {
    const caller = stack.slice(call.index + call[0].length)
    const ender = enderOf(caller, enders) ?? "code that is not pawl's"
    return `${ender}${placeOf(caller)} ended this process by process.exit before its work was done.`
  }
  if (code !== 0) return undefined
  return "something ended this process before its work was done, such as a plugin that leaves nothing to wait for."
}

/** Names the plugin that blocks the main thread by the stack of the blocking code; undefined if it is not a plugin. */
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
