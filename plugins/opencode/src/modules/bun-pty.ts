import { Terminal, type TerminalOptions } from "../bun/pty.ts"

// What plugins get for `bun-pty`, which loads a library that only Bun can: the same over Node's terminals.

export { Terminal }

export function spawn(file: string, args: readonly string[], options: TerminalOptions): Terminal {
  return new Terminal(file, args, options)
}
