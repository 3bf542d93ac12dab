export { createProcessPlace, type ProcessPlace, type StorageInProcesses } from "./process-place.ts"
export { processSpecs } from "./process-specs.ts"
export { type Child, type ChildOptions, startChild } from "./start-child.ts"
export { type TestedInProcesses, testStorageProcesses } from "./test-storage-processes.ts"
