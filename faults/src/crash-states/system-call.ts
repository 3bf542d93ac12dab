/** A completed call in the output of strace. */
export interface SystemCall {
  readonly name: string
  /**
   * Arguments as written by strace: numbers, names of flags, structures. Strings are quoted, with hexadecimal bytes.
   */
  readonly args: readonly string[]
  /** -1 for a failed call. */
  readonly result: number
}

/** `entered` precedes the effect of the call, `ended` follows it. */
export type TraceEvent =
  | { readonly type: "entered"; readonly call: Omit<SystemCall, "result"> }
  | { readonly type: "ended"; readonly call: SystemCall }

const UNFINISHED = /^(\d+) +(\w+)\((.*?),? *<unfinished \.\.\.>$/
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/
const WHOLE = /^(\d+) +(\w+)\((.*)$/
const END = /^(.*)\) += (-?\d+|\?)/

/** Parses the output of `strace -f -xx -s …`. Yields the calls in their order. */
export function* parseTrace(text: string): Generator<TraceEvent> {
  const open = new Map<string, { name: string; text: string }>()
  for (const line of text.split("\n")) {
    const unfinished = UNFINISHED.exec(line)
    if (unfinished) {
      const [, thread = "", name = "", args = ""] = unfinished
      open.set(thread, { name, text: args })
      yield { type: "entered", call: { name, args: splitArguments(args) } }
      continue
    }
    const resumed = RESUMED.exec(line)
    if (resumed) {
      const [, thread = "", name = "", rest = ""] = resumed
      const begun = open.get(thread)?.text ?? ""
      open.delete(thread)
      const joined =
        begun && !rest.trim().startsWith(")") && rest.trim() ? `${begun}, ${rest.replace(/^, */, "")}` : begun + rest
      const call = toCall(name, joined)
      if (call) yield { type: "ended", call }
      continue
    }
    const whole = WHOLE.exec(line)
    const call = whole && toCall(whole[2] ?? "", whole[3] ?? "")
    if (!call) continue
    yield { type: "entered", call }
    yield { type: "ended", call }
  }
}

function toCall(name: string, text: string): SystemCall | undefined {
  const end = END.exec(text)
  // A call without a result did not return, because the process was ended.
  if (!end || end[2] === "?") return undefined
  return { name, args: splitArguments(end[1] ?? ""), result: Number(end[2]) }
}

/** Splits at commas outside of brackets and quotes. Quoted bytes are hexadecimal, so they contain neither. */
function splitArguments(text: string): string[] {
  const args: string[] = []
  let [depth, start] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ""
    if ("[{(".includes(character)) depth++
    else if ("]})".includes(character)) depth--
    else if (character === "," && depth === 0) {
      args.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  const last = text.slice(start).trim()
  return last === "" ? args : [...args, last]
}

/** Returns the bytes of a quoted argument. */
export function bytesOf(argument: string): Buffer {
  if (!argument.startsWith('"')) throw new Error(`No bytes were recorded: ${argument.slice(0, 80)}`)
  if (argument.endsWith("...")) throw new Error("The trace is cut off: strace needs a longer -s.")
  return Buffer.from(argument.slice(1, -1).replaceAll("\\x", ""), "hex")
}

export function textOf(argument: string): string {
  return bytesOf(argument).toString()
}

/** Returns the bytes of `[{iov_base="…", iov_len=3}, …]`. */
export function gathered(vector: string): Buffer {
  return Buffer.concat(
    Array.from(vector.matchAll(/iov_base=("[^"]*"(?:\.\.\.)?)/g), ([, bytes = ""]) => bytesOf(bytes)),
  )
}
