import { call, chatRequest, type RecordedRequest, type Reply, reply, stall, text } from "@pawl/model-server"

/** The prompts that the clients send. The scripted model finds its answer by them. */
export const prompts = {
  hello: "Please say hello",
  more: "Please say more",
  stall: "Please count forever",
  command: "Please run the command",
  edit: "Please edit the greeting",
  write: "Please write the file",
  attached: "Please read the attachment",
}

export const answers = {
  hello: "Hello from the model.",
  more: "More from the model.",
  /** The model sends this and two paragraphs more, and then nothing, so that the answer never ends. */
  stall: "One two three",
  command: "The command is done.",
  edit: "The greeting is edited.",
  write: "The file is written.",
  attached: "The attachment is read.",
}

/** Needs a permission. Its output is a file. */
export const command = "echo permitted > permitted.txt"
export const permittedFile = "permitted.txt"

/** Changes of this file need a permission. */
export const greetingFile = "greeting.txt"
export const greeting = "Good morning\n"
export const editedGreeting = "Good evening\n"

/** Needs no permission. */
export const writtenFile = "written.txt"

/** The file that clients attach, and its content. */
export const attachedFile = "attached.txt"
export const attachedContent = "The attached words: quartz and heather.\n"

const calls = {
  command: call("bash", { command, description: "Writes a file" }),
  edit: call("edit", { filePath: greetingFile, oldString: "Good morning", newString: "Good evening" }),
  write: call("write", { filePath: writtenFile, content: "written\n" }),
}

/** Answers the newest prompt. */
export function answerTo(request: RecordedRequest): Reply {
  const { messages, tools = [] } = chatRequest(request)
  if (tools.length === 0) return reply(text("A title"))
  const last = messages.findLastIndex(({ role }) => role === "user")
  const prompt = JSON.stringify(messages[last])
  const name = (Object.keys(prompts) as (keyof typeof prompts)[]).find((each) => prompt.includes(prompts[each]))
  if (name === undefined) return reply(text("I have no answer."))
  if (name === "stall") return reply(text(`${answers.stall}\n\nFour five six\n\nSeven`), stall())
  const hasResult = messages.slice(last).some(({ role }) => role === "tool")
  return name in calls && !hasResult ? reply(calls[name as keyof typeof calls]) : reply(text(answers[name]))
}

/** Returns true if a request of the model has the content of the attached file behind the prompt for it. */
export function hasAttachment(requests: readonly RecordedRequest[]): boolean {
  const chats = requests.filter(({ path }) => path.endsWith("/chat/completions"))
  return chats.some((request) => {
    const { messages } = chatRequest(request)
    const [prompt, ...others] = messages
      .filter(({ role, content }) => role === "user" && JSON.stringify(content).includes(prompts.attached))
      .map(({ content }) => JSON.stringify(content))
    return others.length === 0 && prompt !== undefined && prompt.includes(attachedContent.trim())
  })
}
