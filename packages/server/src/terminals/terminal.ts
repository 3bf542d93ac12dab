import type { WebSocket } from "ws"
import { CLOSE, createTerminalClient, type TerminalClient } from "./client.ts"
import type { TerminalLimits } from "./limits.ts"
import { createTerminalOutput } from "./output.ts"
import { startTerminalProcess, type TerminalProcess, type TerminalProcessOptions } from "./terminal-process.ts"

/** A terminal in OpenCode's form. */
export interface Pty {
  readonly id: string
  readonly title: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly status: "running" | "exited"
  readonly pid: number
  readonly exitCode?: number
}

export interface TerminalSize {
  readonly rows: number
  readonly cols: number
}

export interface TerminalOptions extends Pick<
  TerminalProcessOptions,
  "library" | "guardian" | "program" | "args" | "cwd" | "env"
> {
  readonly id: string
  readonly title: string
  /** The program as the client named it. */
  readonly command: string
  readonly limits: TerminalLimits
  readonly onExit: (exitCode: number) => void
}

/** A terminal with its clients. */
export interface Terminal {
  readonly info: () => Pty
  readonly clientCount: () => number
  rename(title: string): void
  resize(size: TerminalSize): void
  /** Sends the output from the cursor on, and writes what the client sends. */
  attach(socket: WebSocket, cursor: number): void
  /** Ends the program with all that it has started, and the connections. */
  close(): Promise<void>
}

export function openTerminal(options: TerminalOptions): Terminal {
  const { id, command, args, cwd, limits } = options
  let { title } = options
  const output = createTerminalOutput(limits.output)
  const clients = new Set<TerminalClient>()
  let exitCode: number | undefined
  let isPaused = false
  const terminal: TerminalProcess = startTerminalProcess({
    ...options,
    maxInput: limits.input,
    onData(text) {
      output.append(text)
      for (const client of [...clients]) client.advance()
      holdBack()
    },
    onExit(code) {
      exitCode = code
      for (const client of [...clients]) client.finish()
      options.onExit(code)
      void terminal.stop()
    },
  })

  /** Lets the program wait while every client is far behind. One that is alone behind loses output instead. */
  function holdBack(): void {
    const behind = Math.min(...[...clients].map(({ position }) => output.end - position))
    const isBehind = clients.size > 0 && behind > (isPaused ? limits.output / 8 : limits.output / 2)
    if (isBehind === isPaused) return
    isPaused = isBehind
    if (isPaused) terminal.pause()
    else terminal.resume()
  }

  return {
    info: () => ({
      ...{ id, title, command, args, cwd, pid: terminal.pid },
      ...(exitCode === undefined ? { status: "running" } : { status: "exited", exitCode }),
    }),
    clientCount: () => clients.size,
    rename(text) {
      title = text
    },
    resize: (size) => terminal.resize(size),
    attach(socket, cursor) {
      const client = createTerminalClient({ socket, output, cursor, stallMs: limits.stallMs, onProgress: holdBack })
      clients.add(client)
      socket.on("message", (data: Buffer) => {
        if (!terminal.write(data)) client.close(CLOSE.tooSlow, "The program does not read its input.")
      })
      // An error is followed by the end of the connection.
      socket.on("error", () => undefined)
      socket.once("close", () => {
        clients.delete(client)
        holdBack()
      })
      client.advance()
      if (exitCode !== undefined) client.finish()
    },
    async close() {
      for (const client of clients) client.close(CLOSE.goingAway, "The terminal was closed.")
      await terminal.stop()
    },
  }
}
