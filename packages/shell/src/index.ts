export type {
  ShellAssignment,
  ShellCommand,
  ShellPattern,
  ShellReading,
  ShellRedirect,
  ShellUnpacking,
} from "./reading.ts"
export { createShellReader, type ShellReader } from "./create-reader.ts"
export { BELOW } from "./words/hole.ts"
export { quote } from "./words/quote.ts"
