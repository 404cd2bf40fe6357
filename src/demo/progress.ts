import { Presets, SingleBar } from 'cli-progress'

/** One phase of the load. */
export interface Phase {
  advance(by: number): void
  end(): void
}

export interface Progress {
  start(name: string, total: number): Phase
}

const NAME_WIDTH = 24

/** Shows a progress bar on a terminal, and one line per phase otherwise. */
export function showProgress(stream: NodeJS.WriteStream, print: (line: string) => void): Progress {
  const format = `{name} {bar} {percentage}% | {value}/{total} | {duration_formatted}`
  return {
    start(name, total) {
      const started = performance.now()
      const padded = name.padEnd(NAME_WIDTH)
      const bar = stream.isTTY ? new SingleBar({ format, stream }, Presets.shades_classic) : undefined
      bar?.start(total, 0, { name: padded })
      return {
        advance: (by) => bar?.increment(by),
        end() {
          const seconds = (performance.now() - started) / 1000
          bar?.update(total)
          bar?.stop()
          if (!bar) print(`${padded} ${total} in ${seconds.toFixed(1)} s`)
        },
      }
    },
  }
}
