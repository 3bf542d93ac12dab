import { SessionBusyError, type Storage } from "@pawl/core/storage"
import { ImportConflictError, type ImportOptions, type ImportReport } from "../import-report.ts"
import { DocumentError } from "../document-error.ts"
import { isOpenCodeDocument, type OpenCodeDocument, openDocumentReader } from "./document-reader.ts"
import { createProblems, importFrom } from "./import.ts"

export { isOpenCodeDocument }

/** Imports the output of `opencode export` like `importOpenCode`. */
export async function importOpenCodeDocument(
  storage: Storage,
  document: OpenCodeDocument,
  options: ImportOptions,
): Promise<ImportReport> {
  const problems = createProblems()
  const { sessions, messages, parts, dropped } = await importFrom(
    [openDocumentReader(document, problems.report)],
    storage,
    options,
    problems.report,
  )
  return {
    sessions: sessions.map(({ id, from, outcome }) => {
      if (outcome === "unreadable") {
        throw new DocumentError(
          "$.info",
          "It is not a session of OpenCode.",
          "Export the session again with OpenCode 1.x.",
        )
      }
      if (outcome === "conflict")
        throw new ImportConflictError(id, "Remove the session that is here, or keep it as it is.")
      if (outcome === "busy") throw new SessionBusyError(id)
      return { id, from, outcome }
    }),
    messages,
    parts,
    blobs: 0,
    dropped,
    warnings: problems.all().map(({ subject, message }) => `${subject}: ${message}`),
  }
}
