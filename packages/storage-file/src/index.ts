export { fileStorage, type FileStorageOptions } from "./file-storage.ts"
export { openStorage } from "./open-storage.ts"
