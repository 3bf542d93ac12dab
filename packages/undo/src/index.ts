export { createFileHistory, type FileHistoryOptions } from "./create-file-history.ts"
