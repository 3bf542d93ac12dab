// One file, like all.ts.
export { completionForm } from "./completion.form.ts"
export { configFilesForm, configSchemaForm, configShowForm } from "./config.form.ts"
export { authListForm, authLoginForm, authLogoutForm } from "./auth.form.ts"
export { agentCreateForm } from "./agent-create.form.ts"
export {
  agentListForm,
  agentShowForm,
  commandListForm,
  commandShowForm,
  skillListForm,
  skillShowForm,
} from "./definitions.form.ts"
export { demoForm } from "./demo.form.ts"
export { doctorForm } from "./doctor.form.ts"
export { helpForm } from "./help.form.ts"
export {
  mcpAddForm,
  mcpAllowForm,
  mcpAuthForm,
  mcpCallForm,
  mcpDebugForm,
  mcpImportForm,
  mcpListForm,
  mcpLogoutForm,
  mcpRemoveForm,
  mcpServeForm,
} from "./mcp.form.ts"
export { modelsForm } from "./models.form.ts"
export { permissionsListForm, permissionsReplayForm, permissionsWhyForm } from "./permissions.form.ts"
export {
  pluginAddForm,
  pluginDoctorForm,
  pluginListForm,
  pluginNewForm,
  pluginRemoveForm,
  pluginUpdateForm,
} from "./plugin.form.ts"
export { providerAddForm } from "./provider.form.ts"
export { questionsAnswerForm, questionsForm } from "./questions.form.ts"
export { replayForm } from "./replay.form.ts"
export { runForm } from "./run.form.ts"
export { searchForm } from "./search.form.ts"
export { sessionArchiveForm } from "./session-archive.form.ts"
export { sessionChildrenForm } from "./session-children.form.ts"
export { sessionCompactForm } from "./session-compact.form.ts"
export { sessionContextForm } from "./session-context.form.ts"
export { sessionExportForm } from "./session-export.form.ts"
export { sessionForkForm } from "./session-fork.form.ts"
export { sessionImportForm } from "./session-import.form.ts"
export { sessionListForm } from "./session-list.form.ts"
export { sessionPinForm } from "./session-pin.form.ts"
export { sessionQueueForm } from "./session-queue.form.ts"
export { sessionRemoveForm } from "./session-remove.form.ts"
export { sessionRenameForm } from "./session-rename.form.ts"
export { sessionRestoreForm } from "./session-restore.form.ts"
export { sessionShowForm } from "./session-show.form.ts"
export { sessionUnarchiveForm } from "./session-unarchive.form.ts"
export { statsForm } from "./stats.form.ts"
export { storageBackupForm } from "./storage-backup.form.ts"
export { storageCopyForm } from "./storage-copy.form.ts"
export { storageGcForm } from "./storage-gc.form.ts"
export { storageRebuildForm } from "./storage-rebuild.form.ts"
export { storageStatsForm } from "./storage-stats.form.ts"
export { storageVerifyForm } from "./storage-verify.form.ts"
export { trustForm } from "./trust.form.ts"
