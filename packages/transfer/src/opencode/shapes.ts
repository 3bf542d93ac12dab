// Converts OpenCode's messages and parts to pawl's, for other packages.
export { mappedMessage, type MessageSetting } from "./mapped-message.ts"
export { mappedPart, type PartOwner } from "./mapped-part.ts"
export type { Report } from "./reader.ts"
