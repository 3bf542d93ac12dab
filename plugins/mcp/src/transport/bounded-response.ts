/** Returns a response that fails after `most` bytes. In an event stream the limit applies to each event. */
export function boundedResponse(response: Response, most: number): Response {
  if (!response.body) return response
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true
  let length = 0
  let tail = ""
  const limited = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        length += chunk.byteLength
        if (isStream) {
          const text = tail + Buffer.from(chunk).toString("latin1")
          const rest = text.split(/\r\n\r\n|\n\n|\r\r/).at(-1) ?? ""
          if (rest.length < text.length) length = rest.length
          tail = text.slice(-3)
        }
        if (length > most) throw new RangeError(`An answer is longer than ${most} bytes.`)
        controller.enqueue(chunk)
      },
    }),
  )
  const { status, statusText, headers } = response
  return new Response(limited, { status, statusText, headers: [...headers] })
}
