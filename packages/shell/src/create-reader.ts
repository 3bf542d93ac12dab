import type { ShellReading } from "./reading.ts"

export interface ShellReader {
  /** Reads a command like bash, without running anything. Pure; never throws. */
  read(this: void, command: string): ShellReading
}

/** Loads the grammar, which is not loaded before. */
export async function createShellReader(): Promise<ShellReader> {
  const { readCommand } = await import("./reader.ts")
  return { read: readCommand }
}
