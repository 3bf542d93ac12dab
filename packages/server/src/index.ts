export { createServerApp } from "./app.ts"
export type { ServedDirectory } from "./directories.ts"
export { listen, type ListenOptions } from "./listen.ts"
export { createServer, type Server, type ServerOptions } from "./server.ts"
export { createServerEvents, type OpenCodeListener, type ServerEvents } from "./events/server-events.ts"
export type {
  Awaitable,
  ConfigRefusal,
  LogEntry,
  ServerCommand,
  ServerControl,
  ServerHost,
  ServerProject,
  ServerSignIn,
  ServerSkill,
  ServerUserConfig,
  ServerWorktrees,
  Toast,
  WorktreeRefusal,
} from "./host.ts"
export { createEventLog, type EventLog, type LoggedEvent } from "./events/event-log.ts"
export { eventStream } from "./events/event-stream.ts"
export { openCodeProject } from "./routes/project.ts"
export { openCodeConfig, sharedKeys } from "./shapes/config.ts"
export { type OpenCodeEvent, openCodeEvents } from "./shapes/event.ts"
export {
  type OpenCodeMessage,
  openCodeMessage,
  type OpenCodeMessageWithParts,
  openCodeMessageWithParts,
  ownMessageFields,
} from "./shapes/message.ts"
export { isOwnPart, type OpenCodePart, openCodePart, ownFields } from "./shapes/part.ts"
export { type OpenCodeModel, openCodeModel, type OpenCodeProvider, openCodeProvider } from "./shapes/provider.ts"
export { type OpenCodeSession, openCodeSession } from "./shapes/session.ts"
