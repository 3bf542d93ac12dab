// For authors of a storage: the contract, the records that it keeps, its errors, and what full text search needs.
export type {
  Storage,
  StorageMaintenance,
  MaintainedStorage,
  BlobStore,
  Change,
  WatchedChange,
  Context,
  GCOptions,
  Lease,
  LeaseToken,
  LongWork,
  MessageQuery,
  Revision,
  SearchHit,
  SearchQuery,
  SessionQuery,
  SessionChanges,
  StorageProblem,
  StorageStats,
  Write,
} from "./contracts/storage.ts"
export { type LeaseHolder, StorageError, StaleLeaseError, SessionBusyError, NotFoundError } from "./base/errors.ts"
export { changeEvent, recordID } from "./store/change-event.ts"
export { blobReferences } from "./record/blob-references.ts"
export {
  countImages,
  limitImages,
  MAX_IMAGE_BYTES,
  type ImageCount,
  type LimitImagesOptions,
} from "./undo/limit-images.ts"
export { matchesWords, searchText, searchWords } from "./record/search-text.ts"
export type { Session, Message, MessageWithParts, Part } from "./record/message.ts"
export type { MessageID, PartID, SessionID } from "./base/ids.ts"
