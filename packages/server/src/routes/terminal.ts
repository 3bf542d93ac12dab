import type { Hono } from "hono"
import { z } from "zod"
import type { AppContext } from "../app-context.ts"
import { readBody } from "../read-request.ts"
import * as answers from "../openapi/answers.ts"
import type { Operations } from "../openapi/operation.ts"

const logBody = z.object({
  service: z.string(),
  level: z.enum(["debug", "info", "error", "warn"]),
  message: z.string(),
  extra: z.record(z.string(), z.unknown()).optional(),
})
const toastBody = z.object({
  title: z.string().optional(),
  message: z.string(),
  variant: z.enum(["info", "success", "warning", "error"]),
  duration: z.number().optional(),
})
const appendBody = z.object({ text: z.string() })
const commandBody = z.object({ command: z.string() })
const selectBody = z.object({ sessionID: z.string() })
const publishBody = z.object({ type: z.string().startsWith("tui."), properties: z.record(z.string(), z.unknown()) })

/** Terminal commands that these routes stand for. */
const COMMANDS = {
  "/tui/open-help": "help.show",
  "/tui/open-sessions": "session.list",
  "/tui/open-themes": "theme.list",
  "/tui/open-models": "model.list",
  "/tui/submit-prompt": "prompt.submit",
  "/tui/clear-prompt": "prompt.clear",
} as const

export const terminalOperations: Operations = {
  "POST /log": { id: "app.log", summary: "Writes to the log.", body: logBody, answer: answers.yes },
  "POST /tui/show-toast": {
    id: "tui.showToast",
    summary: "Shows a message.",
    body: toastBody,
    answer: answers.yes,
  },
  "POST /tui/append-prompt": {
    id: "tui.appendPrompt",
    summary: "Appends text to the prompt.",
    body: appendBody,
    answer: answers.yes,
  },
  "POST /tui/execute-command": {
    id: "tui.executeCommand",
    summary: "Executes a command.",
    body: commandBody,
    answer: answers.yes,
  },
  "POST /tui/select-session": {
    id: "tui.selectSession",
    summary: "Shows a session.",
    body: selectBody,
    answer: answers.yes,
  },
  "POST /tui/publish": {
    id: "tui.publish",
    summary: "Publishes an event.",
    body: publishBody,
    answer: answers.yes,
  },
  "POST /tui/open-help": { id: "tui.openHelp", summary: "Shows the help.", answer: answers.yes },
  "POST /tui/open-sessions": { id: "tui.openSessions", summary: "Shows the sessions.", answer: answers.yes },
  "POST /tui/open-themes": { id: "tui.openThemes", summary: "Shows the themes.", answer: answers.yes },
  "POST /tui/open-models": { id: "tui.openModels", summary: "Shows the models.", answer: answers.yes },
  "POST /tui/submit-prompt": { id: "tui.submitPrompt", summary: "Submits the prompt.", answer: answers.yes },
  "POST /tui/clear-prompt": { id: "tui.clearPrompt", summary: "Clears the prompt.", answer: answers.yes },
}

/** Routes for log entries, toasts and terminal commands. Terminal commands are published as events. */
export function addTerminalRoutes(app: Hono, { host, events }: AppContext): void {
  app.post("/log", async (context) => {
    host.log(await readBody(context, logBody))
    return context.json(true)
  })
  app.post("/tui/show-toast", async (context) => {
    const toast = await readBody(context, toastBody)
    host.toast(toast)
    events.publish("tui.toast.show", toast)
    return context.json(true)
  })
  app.post("/tui/append-prompt", async (context) => {
    events.publish("tui.prompt.append", await readBody(context, appendBody))
    return context.json(true)
  })
  app.post("/tui/execute-command", async (context) => {
    events.publish("tui.command.execute", await readBody(context, commandBody))
    return context.json(true)
  })
  app.post("/tui/select-session", async (context) => {
    events.publish("tui.session.select", await readBody(context, selectBody))
    return context.json(true)
  })
  app.post("/tui/publish", async (context) => {
    const { type, properties } = await readBody(context, publishBody)
    const toast = type === "tui.toast.show" ? toastBody.safeParse(properties) : undefined
    if (toast?.success) host.toast(toast.data)
    events.publish(type, properties)
    return context.json(true)
  })
  for (const [path, command] of Object.entries(COMMANDS)) {
    app.post(path, (context) => {
      events.publish("tui.command.execute", { command })
      return context.json(true)
    })
  }
}
