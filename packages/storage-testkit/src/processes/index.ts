export { createTestLocation, type TestLocation, type StorageInProcesses } from "./test-location.ts"
export { processSpecs } from "./process-specs.ts"
export { type Child, type ChildOptions, startChild } from "./start-child.ts"
export { type TestedInProcesses, testStorageProcesses } from "./test-storage-processes.ts"
