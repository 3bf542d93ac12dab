import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js"
import type { CallToolResult, RequestId, ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js"
import { NotFoundError } from "@pawl/core/provider"
import { type Answer, isSessionID, type Session, type SessionID } from "@pawl/core/record"
import { z } from "zod"
import { promptSession } from "./prompt-session.ts"
import type { Served } from "./serve-host.ts"
import { shownMessage } from "./shown-messages.ts"

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

const sessionID = z.string().describe("The session's id: ses_…")
const limit = z.number().int().min(1).max(100).optional().describe("Maximum number of sessions (default: 20)")
const reads = { readOnlyHint: true, openWorldHint: false }

/** Called when a client's request starts to work on a session. The returned function is called at the end. */
export type FollowPrompt = (sessionID: SessionID, requestID: RequestId) => () => void

/** Registers the tools. `served` is called with each tool call. */
export function registerSessionTools(
  server: McpServer,
  served: () => Promise<Served>,
  onPrompt: FollowPrompt = () => () => undefined,
): void {
  server.registerTool(
    "session_list",
    {
      description: "Lists the sessions of this project, newest first.",
      inputSchema: { title: z.string().optional().describe("Only those with this in their title"), limit },
      annotations: reads,
    },
    ({ title, limit = 20 }) =>
      answered(async () => {
        const { engine, directory } = await served()
        const sessions = []
        const query = { directory, parentID: null, limit, ...(title === undefined ? {} : { title }) }
        for await (const session of engine.listSessions(query)) sessions.push(shownSession(session))
        return { sessions }
      }),
  )
  server.registerTool(
    "session_create",
    {
      description: "Begins a session: work of its own, with a memory of its own. session_prompt works in it.",
      inputSchema: { title: z.string().optional() },
    },
    ({ title }) =>
      answered(async () => {
        const { engine, directory } = await served()
        return shownSession(await engine.createSession({ directory, ...(title === undefined ? {} : { title }) }))
      }),
  )
  server.registerTool(
    "session_prompt",
    {
      description:
        "Gives the coding agent of a session a task in this project, and returns its answer when it has worked it off. It reads, edits and runs as its permissions say. Without a session a new one begins. The prompt `/compact` replaces the older messages of a session by a summary; what follows it says what that is to dwell on.",
      inputSchema: {
        prompt: z
          .string()
          .min(1)
          .describe("The task, in full: the agent knows the project and its session, nothing else"),
        sessionID: sessionID.optional(),
        agent: z.string().optional().describe("The agent that works, such as plan, which changes nothing"),
      },
    },
    async ({ prompt, sessionID: given, agent }, extra) => {
      try {
        const place = await served()
        const { engine, directory } = place
        const session = given === undefined ? engine.draftSession({ directory }) : await found(place, given)
        const end = onPrompt(session.id, extra.requestId)
        const { text, isError, ...facts } = await promptSession(place, {
          ...{ sessionID: session.id, text: prompt, agent, signal: extra.signal, onProgress: progressOf(extra) },
        }).finally(end)
        return { content: [{ type: "text", text }], structuredContent: { ...facts, text }, isError }
      } catch (error) {
        return failed(error)
      }
    },
  )
  server.registerTool(
    "session_messages",
    {
      description: "Reads what was said and done in a session: the newest messages, oldest first.",
      inputSchema: { sessionID, limit, before: z.string().optional().describe("Only messages before this one's id") },
      annotations: reads,
    },
    ({ sessionID: given, limit = 20, before }) =>
      answered(async () => {
        const place = await served()
        const { id } = await found(place, given)
        const messages = []
        const page = { limit, ...(before === undefined ? {} : { before: before as `msg_${string}` }) }
        for await (const message of place.engine.readMessages(id, page)) messages.push(shownMessage(message))
        return { messages: messages.toReversed() }
      }),
  )
  server.registerTool(
    "session_abort",
    { description: "Ends what a session is doing. What was done stays stored.", inputSchema: { sessionID } },
    ({ sessionID: given }) =>
      answered(async () => {
        const place = await served()
        const { id } = await found(place, given)
        await place.engine.abort(id)
        return { sessionID: id, aborted: true }
      }),
  )
  server.registerTool(
    "question_list",
    {
      description: "Lists what a session, or a subagent of it, waits to be answered.",
      inputSchema: { sessionID },
      annotations: reads,
    },
    ({ sessionID: given }) =>
      answered(async () => {
        const place = await served()
        const { id } = await found(place, given)
        const questions = await place.engine.questions(id)
        return {
          questions: questions.map(({ id: questionID, sessionID: asking, agent, tool, input, about }) => {
            return { questionID, sessionID: asking, agent, tool, input, about }
          }),
        }
      }),
  )
  server.registerTool(
    "question_answer",
    {
      description:
        "Answers a question of question_list. A permission wants `reply`, a choice `answers`: for each of its questions what was chosen. Neither dismisses it.",
      inputSchema: {
        sessionID: sessionID.describe("The session that the question names"),
        questionID: z.string(),
        reply: z.enum(["once", "always", "reject"]).optional(),
        message: z.string().optional().describe("With reject: what the agent is to do instead"),
        patterns: z
          .array(z.string())
          .optional()
          .describe("With always: what to allow instead of the proposed patterns; * matches any characters"),
        answers: z.array(z.array(z.string())).optional(),
      },
    },
    ({ sessionID: given, questionID, reply, message, patterns, answers }) =>
      answered(async () => {
        const place = await served()
        const { id } = await found(place, given)
        const hint = { ...(message === undefined ? {} : { message }), ...(patterns === undefined ? {} : { patterns }) }
        const answer: Answer = reply
          ? { type: "permission", reply, ...hint }
          : answers
            ? { type: "choice", answers }
            : { type: "dismissed", reason: "The client dismissed it." }
        await place.engine.answer({ sessionID: id, questionID: questionID as `prt_${string}`, answer })
        return { questionID, answered: true }
      }),
  )
}

/** Rejects with NotFoundError if the session is missing or belongs to another directory. */
async function found({ engine, directory }: Served, given: string): Promise<Session> {
  if (!isSessionID(given)) throw new NotFoundError(`"${given}" is not a session id. session_list shows them.`)
  const session = await engine.getSession(given)
  if (session.directory === directory) return session
  throw new NotFoundError(`Session ${given} belongs to ${session.directory}, and this server to ${directory}.`)
}

function shownSession({ id, title, directory, time }: Session) {
  return { sessionID: id, title, directory, created: time.created, updated: time.updated }
}

/** Sends progress if the client requested it. */
function progressOf({ _meta, sendNotification }: Extra): (message: string) => void {
  const progressToken = _meta?.progressToken
  let progress = 0
  return (message) => {
    if (progressToken === undefined) return
    const params = { progressToken, progress: ++progress, message: message.slice(0, 500) }
    // Fails if the client has disconnected.
    sendNotification({ method: "notifications/progress", params }).catch(() => undefined)
  }
}

async function answered(work: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    const structuredContent = await work()
    return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent }
  } catch (error) {
    return failed(error)
  }
}

/** Includes the error's name, so that programs can distinguish errors. */
function failed(error: unknown): CallToolResult {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  return { content: [{ type: "text", text: message }], structuredContent: { error: name, message }, isError: true }
}
