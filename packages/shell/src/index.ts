export type { ShellAssignment, ShellCommand, ShellReading, ShellRedirect } from "./reading.ts"
export { createShellReader, type ShellReader } from "./create-reader.ts"
