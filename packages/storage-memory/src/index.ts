export { memoryStorage, openStorage } from "./memory-storage.ts"
