import { type Page, openPage, pause, shows, textOf } from "../browser.ts"
import type { ClientRow } from "../features.ts"
import { answers, command, editedGreeting, greetingFile, hasAttachment, permittedFile, prompts } from "../model.ts"
import { writtenFile } from "../model.ts"
import { check, fileIn } from "../program.ts"
import { WEB_ORIGIN, type World } from "../world.ts"

const PROMPT = '[contenteditable="true"]'
const READY = "Ask anything"
const KEY_PAUSE_MS = 10
const RECONNECT_MS = 5000

/** Opens the app with the server in its list of servers, as its settings would store it. */
async function openApp(world: World, path: string, password = world.token): Promise<Page> {
  const page = await openPage(world)
  const http = { url: world.url, username: "opencode", password }
  const projects = { [world.url]: [{ worktree: world.project, expanded: true }] }
  const servers = { list: [{ type: "http", http }], projects, lastProject: {}, recentlyClosed: {} }
  await page.evaluateOnNewDocument(
    [
      `localStorage.setItem("opencode.global.dat:server", ${JSON.stringify(JSON.stringify(servers))})`,
      `localStorage.setItem("opencode.settings.dat:defaultServerUrl", ${JSON.stringify(world.url)})`,
    ].join("\n"),
  )
  await page.goto(`${WEB_ORIGIN}${path}`)
  return page
}

/** Opens a new session in the project. */
async function open(world: World): Promise<Page> {
  const page = await openApp(world, `/${Buffer.from(world.project).toString("base64url")}/session`)
  await shows(world, page, READY)
  await pause(1000)
  return page
}

async function type(world: World, page: Page, text: string): Promise<void> {
  // A question takes the place of the prompt for a moment.
  await world.until("the prompt", () => page.evaluate<boolean>(`document.querySelector('${PROMPT}') !== null`))
  await page.click(PROMPT)
  await page.keyboard.type(text, { delay: KEY_PAUSE_MS })
  await pause()
}

async function send(world: World, page: Page, text: string): Promise<void> {
  await type(world, page, text)
  await page.keyboard.press("Enter")
}

async function allow(world: World, page: Page, words: string): Promise<void> {
  await shows(world, page, "Permission required")
  await shows(world, page, words)
  await page.evaluate(
    `[...document.querySelectorAll("button")].find((each) => each.innerText === "Allow once").click()`,
  )
}

export const webAppRow: ClientRow = {
  name: "web-app",
  title: "OpenCode's web app",
  cells: {
    async boot(world) {
      await open(world)
    },
    async prompt(world) {
      const page = await open(world)
      await send(world, page, prompts.hello)
      await shows(world, page, answers.hello)
    },
    async stream(world) {
      const page = await open(world)
      // The app reads a session that it begins, while its first answer is written.
      await send(world, page, prompts.stall)
      await shows(world, page, answers.stall)
    },
    async permission(world) {
      const page = await open(world)
      await send(world, page, prompts.command)
      await allow(world, page, command)
      await shows(world, page, answers.command)
      check((await fileIn(world, permittedFile)) === "permitted\n", "the command has not run")
      await send(world, page, prompts.edit)
      // The app shows the file of a change, and the difference when it is made.
      await allow(world, page, greetingFile)
      await shows(world, page, answers.edit)
      check((await fileIn(world, greetingFile)) === editedGreeting, "the file is not edited")
    },
    async abort(world) {
      const page = await open(world)
      await send(world, page, prompts.stall)
      await shows(world, page, answers.stall)
      await page.click(PROMPT)
      await page.keyboard.press("Escape")
      await shows(world, page, "Interrupted")
      const isIdle = async () => Object.keys((await world.get("/session/status")) as object).length === 0
      await world.until("an idle session", isIdle)
    },
    async reconnect(world) {
      const page = await open(world)
      await send(world, page, prompts.hello)
      await shows(world, page, answers.hello)
      await world.kill()
      await world.restart()
      await pause(RECONNECT_MS)
      await send(world, page, prompts.more)
      await shows(world, page, answers.more)
    },
    async list(world) {
      const titles = ["First title", "Second title"]
      for (const title of titles) {
        const { id } = (await world.post("/session", { title })) as { id: string }
        await world.post(`/session/${id}/message`, { parts: [{ type: "text", text: prompts.hello }] })
      }
      const page = await openApp(world, "/")
      for (const title of titles) await shows(world, page, title)
      const [, last] = titles
      await page.evaluate(
        `[...document.querySelectorAll("a, button")].find((each) => each.innerText.includes("${last}")).click()`,
      )
      await shows(world, page, answers.hello)
    },
    async undo(world) {
      const page = await open(world)
      await send(world, page, prompts.write)
      await shows(world, page, answers.write)
      check((await fileIn(world, writtenFile)) === "written\n", "the file is not written")
      await pause(1000)
      await send(world, page, "/undo")
      await world.until("the undone file to be gone", async () => (await fileIn(world, writtenFile)) === undefined)
    },
    async attach(world) {
      const page = await open(world)
      await type(world, page, `${prompts.attached} @attach`)
      await shows(world, page, "attached.txt")
      await pause()
      await page.keyboard.press("Enter")
      await pause()
      await page.keyboard.press("Enter")
      await shows(world, page, answers.attached)
      check(hasAttachment(world.model.requests), "the model has not read the file")
    },
    async auth(world) {
      const page = await openApp(world, `/${Buffer.from(world.project).toString("base64url")}/session`, "wrong")
      await pause(5000)
      const text = await textOf(page)
      check(!text.includes("scripted"), `the wrong token was accepted: ${text}`)
      check((await statusOf(world, "wrong")) === 401, "the wrong token was accepted")
      await open(world)
    },
  },
}

async function statusOf({ url }: World, password: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`opencode:${password}`).toString("base64")}`
  return (await fetch(`${url}/agent`, { headers: { authorization, origin: WEB_ORIGIN } })).status
}
