import type { ShellReading } from "./reading.ts"

export interface ShellReader {
  /** Reads a command as bash would, without running anything. Pure, and never throws. */
  read(this: void, command: string): ShellReading
}

/** Loads the grammar; nothing of it is loaded before. */
export async function createShellReader(): Promise<ShellReader> {
  const { readCommand } = await import("./reader.ts")
  return { read: readCommand }
}
