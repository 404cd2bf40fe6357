/**
 * Columns over time, at the positions of their times. Where there is no column the value is unknown, and the ground is
 * hatched, as unknown values are everywhere. The chart is hidden from screen readers: each use has a table beside it.
 */
import { formatInstant } from '../kernel/dates.ts'
import { useLanguage } from '../kernel/text.tsx'

export interface Bar {
  /** Milliseconds; `to` is exclusive. */
  readonly from: number
  readonly to: number
  /** For the height only. */
  readonly value: number
  /** Shown at the pointer. */
  readonly text: string
  /** Whether the value is not certain; the column is lighter. */
  readonly isDoubtful: boolean
}

interface BarChartProps {
  readonly bars: readonly Bar[]
  /** Milliseconds. */
  readonly from: number
  readonly to: number
  readonly color: `--${string}`
  /** The text of the largest value. */
  readonly maxText: string
  readonly timeStyle: 'time' | 'shortDate' | 'month'
}

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`

export function BarChart({ bars, from, to, color, maxText, timeStyle }: BarChartProps) {
  const { language } = useLanguage()
  const max = Math.max(...bars.map(({ value }) => value), 0)
  const length = Math.max(to - from, 1)
  return (
    <div className="bar-chart" aria-hidden="true">
      <div className="bar-max">{maxText}</div>
      <div className="bar-plot">
        {bars.map((bar) => (
          <div
            key={bar.from}
            className="bar-slot"
            title={bar.text}
            style={{
              '--bar-left': percent((bar.from - from) / length),
              '--bar-width': percent((Math.min(bar.to, to) - bar.from) / length),
              '--bar-height': percent(max > 0 ? Math.max(bar.value, 0) / max : 0),
              '--bar-color': `var(${color})`,
            }}
          >
            <div className="bar" data-doubtful={bar.isDoubtful || undefined} />
          </div>
        ))}
      </div>
      <div className="bar-times">
        <span>{formatInstant(from, timeStyle, language)}</span>
        <span>{formatInstant(from + length / 2, timeStyle, language)}</span>
        <span>{formatInstant(to - 1, timeStyle, language)}</span>
      </div>
    </div>
  )
}
