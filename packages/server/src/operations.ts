import { globalEvent, events, yes } from "./openapi/answers.ts"
import { z } from "zod"
import { apiOperations } from "./routes/api.ts"
import { apiCommandOperations } from "./routes/api-commands.ts"
import { apiMessageOperations } from "./routes/api-messages.ts"
import { apiQuestionOperations } from "./routes/api-questions.ts"
import { apiSessionOperations } from "./routes/api-sessions.ts"
import { backgroundShellOperations } from "./routes/background-shells.ts"
import { catalogOperations } from "./routes/catalog.ts"
import { commandOperations } from "./routes/command.ts"
import { configOperations } from "./routes/config.ts"
import { fileOperations } from "./routes/files.ts"
import { mcpOperations } from "./routes/mcp.ts"
import { messageOperations } from "./routes/messages.ts"
import { missingOperations } from "./routes/missing.ts"
import { projectOperations } from "./routes/project.ts"
import { shellOperations } from "./routes/shell.ts"
import { promptOperations } from "./routes/prompt.ts"
import { ptyOperations } from "./routes/pty.ts"
import { questionOperations } from "./routes/questions.ts"
import { runOperations } from "./routes/runs.ts"
import { sessionOperations } from "./routes/sessions.ts"
import { signInOperations } from "./routes/sign-in.ts"
import { terminalOperations } from "./routes/terminal.ts"
import { worktreeOperations } from "./routes/worktrees.ts"
import type { Operations } from "./openapi/operation.ts"

const afterQuery = z.object({ after: z.string().optional() })

const eventOperations: Operations = {
  "GET /event": {
    id: "event.subscribe",
    summary: "Streams the events of a directory. Last-Event-ID replays what was missed.",
    query: afterQuery,
    answer: events,
    type: "text/event-stream",
  },
  "GET /global/event": {
    id: "global.event",
    summary: "Streams the events of all directories. Last-Event-ID replays what was missed.",
    query: afterQuery,
    answer: globalEvent,
    type: "text/event-stream",
    isGlobal: true,
  },
}

const documentOperations: Operations = {
  "GET /doc": { id: "doc.get", summary: "Returns this document.", isGlobal: true, answer: z.looseObject({}) },
}

/** Routes of `createServer` besides those of an app. */
export const serverOperations: Operations = {
  "POST /instance/dispose": { id: "instance.dispose", summary: "Closes a directory.", answer: yes },
  "POST /global/dispose": {
    id: "global.dispose",
    summary: "Closes all directories.",
    answer: yes,
    isGlobal: true,
  },
}

/** Routes of an app. */
export const appOperations: Operations = {
  ...sessionOperations,
  ...messageOperations,
  ...promptOperations,
  ...shellOperations,
  ...backgroundShellOperations,
  ...runOperations,
  ...commandOperations,
  ...questionOperations,
  ...catalogOperations,
  ...signInOperations,
  ...configOperations,
  ...mcpOperations,
  ...projectOperations,
  ...fileOperations,
  ...terminalOperations,
  ...ptyOperations,
  ...worktreeOperations,
  ...eventOperations,
  ...apiOperations,
  ...apiSessionOperations,
  ...apiCommandOperations,
  ...apiMessageOperations,
  ...apiQuestionOperations,
  ...documentOperations,
  ...missingOperations,
}
