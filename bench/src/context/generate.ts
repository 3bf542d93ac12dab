import { createCalls } from "./calls.ts"
import type { Answer, Call, Conversation, Moment, Turn } from "./conversation.ts"
import { createFactList } from "./fact-list.ts"
import { createProse } from "./prose.ts"
import { createRandom, type Random } from "./random.ts"

/** Number of turns after which a new list of tasks replaces the old one. */
const TURNS_PER_LIST = 9
/** Number of turns after which the user pins a note. */
const TURNS_PER_PIN = 7

/** Generates a conversation of about `length` characters. The same seed gives the same conversation. */
export function generateConversation(seed: string, length: number): Conversation {
  const random = createRandom(seed)
  const prose = createProse(random)
  const list = createFactList(random)
  const { name, plant } = list
  const calls = createCalls(random, prose, list)
  let answered = 0

  function prompt(number: number, until: Moment): Pick<Turn, "prompt" | "pin"> {
    const from = answered * 2
    const wanted = plant("request", `ticket #${name(prose.noun())}`, from, { until })
    const pin = number % TURNS_PER_PIN === 1 ? notice(from) : undefined
    const texts = [
      prose.sentences(0, 2),
      `Please see to ${wanted}: ${prose.sentence()}`,
      prose.sentences(0, 3),
      random.chance(0.7) ? `From now on, never touch ${plant("instruction", name(prose.noun()), from)}.` : "",
      pin ?? "",
      random.chance(0.1) ? `This is what I see:\n${calls.outputs.log(calls.outputs.size())}` : "",
    ]
    return { prompt: texts.filter((text) => text !== "").join(" "), ...(pin ? { pin } : {}) }
  }

  function notice(from: Moment): string {
    const key = plant("pinned note", name(prose.noun()), from)
    return `Note for all of the work: the ${prose.adjective()} ${prose.noun()} is ${key}.`
  }

  function decision(from: Moment): string {
    const key = plant("decision", name(`${prose.adjective()}-${prose.noun()}`), from)
    return `We go with ${key} because the ${prose.noun()} ${prose.verb()} the ${prose.noun()}.`
  }

  function made(event: Event, from: Moment, turn: number): readonly Call[] {
    switch (event) {
      case "tasks":
        return [calls.tasks(from)]
      case "edit":
        return [calls.edit(from)]
      case "failing test":
        return [calls.failingTest(from, turn)]
      case "mended tests":
        return calls.mendedTests(from, turn)
      case "error":
        return [calls.error(from)]
      case "decision":
        return []
    }
  }

  function step(events: readonly Event[], turn: number): Answer {
    const from = answered * 2 + 1
    const special = events.flatMap((event) => made(event, from, turn))
    const others = Array.from({ length: special.length > 0 ? 0 : random.chance(0.15) ? 2 : 1 }, () => calls.ordinary())
    const texts = [random.chance(0.5) ? prose.sentences(1, 2) : "", events.includes("decision") ? decision(from) : ""]
    return { text: texts.filter((text) => text !== "").join(" "), calls: [...special, ...others] }
  }

  function turn(number: number): Turn {
    const steps = random.whole(4, 22)
    const asked = prompt(number, (answered + steps) * 2 + 1)
    const events = plan(random, { steps, isNewList: number % TURNS_PER_LIST === 0 })
    const answers: Answer[] = []
    for (let at = 0; at < steps; at++, answered++) answers.push(step(events.get(at) ?? [], number))
    answers.push({ text: prose.sentences(3, 9), calls: [] })
    answered++
    return { ...asked, answers }
  }

  const turns: Turn[] = []
  for (let said = 0; said < length; said += JSON.stringify(turns.at(-1)).length) turns.push(turn(turns.length))
  return { turns, facts: list.facts }
}

type Event = "tasks" | "mended tests" | "edit" | "failing test" | "error" | "decision"

/** Distributes events over the steps of a turn. */
function plan(random: Random, { steps, isNewList }: { readonly steps: number; readonly isNewList: boolean }) {
  const planned = new Map<number, Event[]>()
  const add = (event: Event, least = 1) => {
    const step = random.whole(least, steps - 1)
    planned.set(step, [...(planned.get(step) ?? []), event])
  }
  if (isNewList) add("tasks")
  add("mended tests")
  for (let edits = random.whole(1, 3); edits > 0; edits--) add("edit")
  if (random.chance(0.35)) add("failing test")
  if (random.chance(0.6)) add("error")
  if (random.chance(0.8)) add("decision", 0)
  return planned
}
