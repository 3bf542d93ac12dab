export { type CopyOptions, copyStorage, type CopyReport, type CopySource, type LeftSession } from "./copy.ts"
export { type ExportReport, type SessionDocument, sessionDocument } from "./document.ts"
export type { ExportedStorage, ExportOptions } from "./document-pieces.ts"
export type { Dropped, DroppedKind } from "./dropped.ts"
export { exportSession, type TextSink, writeSession } from "./export.ts"
export { importSession } from "./import.ts"
export { ImportConflictError, type ImportedSession, type ImportOptions, type ImportReport } from "./import-report.ts"
export {
  importOpenCode,
  type ImportedOpenCodeSession,
  type OpenCodeImportOptions,
  type OpenCodeReport,
} from "./opencode/import.ts"
export type { OpenCodeProblem } from "./opencode/reader.ts"
export { DocumentError } from "./document-error.ts"
export { limitedText } from "./limits/text-scanner.ts"
export type { PathMapping } from "./path-mapping.ts"
export { readDocument } from "./read-document.ts"
export { projectionHash } from "./projection-hash.ts"
export { recordHash } from "./record-hash.ts"
export type { MaskLevel, SanitizeOptions } from "./sanitize/sanitizer.ts"
export { maskedText } from "./sanitize/masked-text.ts"
export type { Continuation } from "./restriction.ts"
export type { Outcome } from "./session-writer.ts"
export { isUnfinished } from "./unfinished.ts"
