import { Presets, SingleBar } from 'cli-progress'

/** Reports that a number of units of a phase are done. */
export type Advance = (by: number) => void

export interface Progress {
  /** Runs a phase of the load and shows its progress until it ends or fails. */
  phase<T>(name: string, total: number, work: (advance: Advance) => Promise<T>): Promise<T>
}

interface Display {
  readonly advance: Advance
  /** `isDone` is false when the phase failed or was aborted. */
  end(isDone: boolean): void
}

const NAME_WIDTH = 24
/** Milliseconds between two lines of a phase where the output is no terminal. */
const LINE_EVERY_MS = 5_000

/** Shows a progress bar on a terminal; otherwise a line every few seconds and one at the end of each phase. */
export function showProgress(stream: NodeJS.WriteStream, print: (line: string) => void): Progress {
  const display = stream.isTTY ? barOn(stream) : linesOf(print)
  return {
    async phase(name, total, work) {
      const { advance, end } = display(name, total)
      let isDone = false
      try {
        const result = await work(advance)
        isDone = true
        return result
      } finally {
        end(isDone)
      }
    },
  }
}

const barOn =
  (stream: NodeJS.WriteStream) =>
  (name: string, total: number): Display => {
    const format = `{name} {bar} {percentage}% | {value}/{total} | {duration_formatted}`
    const bar = new SingleBar({ format, stream }, Presets.shades_classic)
    bar.start(total, 0, { name: name.padEnd(NAME_WIDTH) })
    return {
      advance: (by) => bar.increment(by),
      end(isDone) {
        if (isDone) bar.update(total)
        bar.stop()
      },
    }
  }

const linesOf =
  (print: (line: string) => void) =>
  (name: string, total: number): Display => {
    const started = performance.now()
    const show = (text: string): void =>
      print(`${name.padEnd(NAME_WIDTH)} ${text} in ${((performance.now() - started) / 1000).toFixed(1)} s`)
    let done = 0
    const timer = setInterval(() => show(`${done} of ${total}`), LINE_EVERY_MS).unref()
    return {
      advance: (by) => {
        done += by
      },
      end(isDone) {
        clearInterval(timer)
        if (isDone) show(`${total}`)
      },
    }
  }
