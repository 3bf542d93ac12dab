import { type Compositor, createCompositor, type LiveRegion, type ScreenSize } from "./compositor.ts"

/** A terminal to draw on. */
export interface ScreenOutput {
  write(text: string): unknown
  /** True while the terminal reads more slowly than the screen writes. */
  isBusy(): boolean
  /** Calls back once when the terminal has read everything. */
  onceFree(listener: () => void): void
}

/** Clock and timer of the screen. */
export interface FrameTimer {
  /** Milliseconds of a monotonic clock. */
  now(): number
  /** Calls back after some milliseconds. The returned function cancels it. */
  after(milliseconds: number, callback: () => void): () => void
}

/** Finished lines that were not printed before, and the whole live region. */
export interface Frame {
  readonly commits: readonly string[]
  readonly live: LiveRegion
  /** Set if the finished lines replace all earlier ones, such as for another width. */
  readonly isAll?: boolean
}

export interface ScreenOptions {
  readonly output: ScreenOutput
  readonly timer: FrameTimer
  readonly size: () => ScreenSize
  /** Called when a frame is due. Finished lines that it returns are printed, and never asked for again. */
  readonly compose: (size: ScreenSize) => Frame
  /** Default: finished lines go into the terminal's scrollback. */
  readonly compositor?: Compositor | undefined
}

/** Draws frames when something has changed: at most 30 a second, and sooner after a key. Without changes it writes nothing. */
export interface Screen {
  /** Reports a change. `isUrgent`: it is the echo of a key. */
  changed(isUrgent?: boolean): void
  /** Draws now, whatever the rate, such as before the program ends. */
  flush(): void
  resized(): void
  /** Leaves the terminal to another program: removes the live region, and draws nothing until `resume`. */
  suspend(): void
  resume(): void
  /** Removes the live region for good. Finished lines stay. */
  close(): void
}

/** 30 frames a second. */
const FRAME_MS = 33
/** Keys are echoed within half a frame of a 60 Hz display. */
const KEY_FRAME_MS = 8

export function createScreen({ output, timer, size, compose, compositor = createCompositor() }: ScreenOptions): Screen {
  let last = -Infinity
  let due: { readonly at: number; readonly cancel: () => void } | undefined
  let isWaiting = false
  let isActive = true

  function write(text: string): void {
    if (text !== "") output.write(text)
  }
  function draw(): void {
    due?.cancel()
    due = undefined
    if (!isActive) return
    // A slow terminal gets fewer frames, not a longer queue.
    if (output.isBusy()) return drawOnceFree()
    last = timer.now()
    const current = size()
    const { commits, live, isAll } = compose(current)
    write(compositor.frame(commits, live, current, isAll))
  }
  function drawOnceFree(): void {
    if (isWaiting) return
    isWaiting = true
    output.onceFree(() => {
      isWaiting = false
      draw()
    })
  }

  return {
    changed(isUrgent = false) {
      if (!isActive || isWaiting) return
      const at = Math.max(timer.now(), last + (isUrgent ? KEY_FRAME_MS : FRAME_MS))
      if (due && due.at <= at) return
      due?.cancel()
      due = { at, cancel: timer.after(Math.max(0, at - timer.now()), draw) }
    },
    flush: draw,
    resized() {
      if (!isActive) return
      write(compositor.resized(size()))
      draw()
    },
    suspend() {
      if (!isActive) return
      write(compositor.end())
      isActive = false
    },
    resume() {
      compositor.reset()
      isActive = true
      draw()
    },
    close() {
      due?.cancel()
      due = undefined
      if (isActive) write(compositor.end())
      isActive = false
    },
  }
}
