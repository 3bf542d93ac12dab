export { LockBusyError } from "./lock-busy-error.ts"
export { type LockOptions, withLock } from "./with-lock.ts"
