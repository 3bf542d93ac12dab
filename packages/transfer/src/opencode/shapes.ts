// OpenCode's messages and parts as pawl's, for those who get them from elsewhere than a record.
export { mappedMessage, type MessageSetting } from "./mapped-message.ts"
export { mappedPart, type PartOwner } from "./mapped-part.ts"
export type { Report } from "./reader.ts"
