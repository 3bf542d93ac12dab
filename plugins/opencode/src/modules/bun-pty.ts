import { Terminal, type TerminalOptions } from "../bun/pty.ts"

// The replacement of `bun-pty`, whose native library only Bun can load.

export { Terminal }

export function spawn(file: string, args: readonly string[], options: TerminalOptions): Terminal {
  return new Terminal(file, args, options)
}
