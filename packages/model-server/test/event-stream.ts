/** One server-sent event: its name, `undefined` without one, and its data as parsed JSON. */
export interface SentEvent {
  readonly name: string | undefined
  readonly data: Record<string, unknown>
}

/** The events of a stream in order, in either of the line ends that the protocol allows. */
export async function readEvents(response: Response): Promise<SentEvent[]> {
  const frames = (await response.text()).split(/\r?\n\r?\n/).filter((frame) => frame !== "")
  return frames.map((frame) => {
    const lines = frame.split(/\r?\n/)
    const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
    return { name: field("event"), data: JSON.parse(field("data") ?? "") as Record<string, unknown> }
  })
}
