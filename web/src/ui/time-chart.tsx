/**
 * A line over time, drawn by uPlot on a canvas. A canvas says nothing to a screen reader: over it lies a slider of its
 * points, which the arrow keys move and which speaks the value; + and - zoom. Measured values are floating point, as
 * meters send them.
 */
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Language } from '../../../src/kernel/messages.ts'
import { formatInstant } from '../kernel/dates.ts'
import { useLanguage, useText } from '../kernel/text.tsx'
import { resolveColor, useColorScheme } from './canvas-colors.ts'
import { UI_TEXTS } from './texts.ts'
import { axisTexts } from './time-axis.ts'

export interface TimePoint {
  /** Milliseconds. */
  readonly at: number
  readonly value: number
}

interface TimeChartProps {
  readonly points: readonly TimePoint[]
  readonly label: string
  readonly unit: string
  /** A colour of the style sheet, such as `--energy-production`. */
  readonly color: `--${string}`
}

const HEIGHT = 260

export function TimeChart({ points, label, unit, color }: TimeChartProps) {
  const { language } = useLanguage()
  const t = useText()
  const scheme = useColorScheme()
  const frame = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  const latest = useRef(points)
  latest.current = points
  const timeTitle = t(UI_TEXTS.UI_TIME())

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are resolved again when the scheme changes
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const texts = { time: timeTitle, value: `${label} (${unit})` }
    const created = create(element, { color, language, texts, points: latest.current })
    chart.current = created
    const resize = new ResizeObserver(() => created.setSize({ width: element.clientWidth, height: HEIGHT }))
    resize.observe(element)
    return () => {
      resize.disconnect()
      created.destroy()
      chart.current = undefined
    }
  }, [label, unit, color, language, timeTitle, scheme])

  useEffect(() => {
    chart.current?.setData(dataOf(points))
  }, [points])

  return (
    <div className="chart">
      <div ref={frame} aria-hidden="true" />
      {points.length > 0 && <PointSlider points={points} chart={chart} label={label} unit={unit} />}
    </div>
  )
}

interface Setting {
  readonly color: string
  readonly language: Language
  readonly texts: { readonly time: string; readonly value: string }
  readonly points: readonly TimePoint[]
}

function create(element: HTMLElement, { color, language, texts, points }: Setting): uPlot {
  const grid = { stroke: resolveColor(element, '--border'), width: 1 }
  const axis = { stroke: resolveColor(element, '--text-muted'), grid, ticks: grid }
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      tzDate: (at) => uPlot.tzDate(new Date(at * 1000), 'Europe/Istanbul'),
      series: [
        {
          label: texts.time,
          value: (_chart, at) => (at === null ? '' : formatInstant(at * 1000, 'seconds', language)),
        },
        {
          label: texts.value,
          stroke: resolveColor(element, color),
          width: 2,
          points: { show: false },
          value: (_chart, value) => (value === null ? '' : value.toLocaleString(language)),
        },
      ],
      axes: [
        { ...axis, values: (_chart, splits) => axisTexts(splits, language) },
        {
          ...axis,
          size: 64,
          values: (_chart, splits) => splits.map((value) => value.toLocaleString(language)),
        },
      ],
    },
    dataOf(points),
    element,
  )
}

const dataOf = (points: readonly TimePoint[]): uPlot.AlignedData => [
  points.map(({ at }) => at / 1000),
  points.map(({ value }) => value),
]

interface PointSliderProps extends Pick<TimeChartProps, 'points' | 'label' | 'unit'> {
  readonly chart: RefObject<uPlot | undefined>
}

/** Points that Page Up and Page Down skip. */
const PAGE = 10
const ZOOM = 0.5

/** The point that the keyboard has chosen; the newest one at first. */
function PointSlider({ points, chart, label, unit }: PointSliderProps) {
  const t = useText()
  const { language } = useLanguage()
  const help = useId()
  const [chosen, setChosen] = useState<number>()
  const last = points.length - 1
  const index = Math.min(chosen ?? last, last)
  const point = points[index]
  if (!point) return null
  const choose = (next: number) => {
    const bounded = Math.max(0, Math.min(last, next))
    setChosen(bounded)
    const at = points[bounded]
    if (chart.current && at) moveCursor(chart.current, at)
  }
  const press = (event: KeyboardEvent) => {
    const moved = movedIndex(event.key, index, last)
    const factor = event.key === '+' ? ZOOM : event.key === '-' ? 1 / ZOOM : undefined
    if (moved === undefined && factor === undefined) return
    event.preventDefault()
    if (moved !== undefined) choose(moved)
    if (factor !== undefined && chart.current) zoom(chart.current, { factor, at: point.at, points })
  }
  return (
    <>
      <div
        className="chart-keys"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-describedby={help}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={index}
        aria-valuetext={`${formatInstant(point.at, 'dateTime', language)}: ${point.value.toLocaleString(language)} ${unit}`}
        onKeyDown={press}
        onFocus={() => choose(index)}
      />
      <span id={help} className="visually-hidden">
        {t(UI_TEXTS.UI_CHART_KEYS())}
      </span>
    </>
  )
}

function movedIndex(key: string, index: number, last: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    PageDown: index - PAGE,
    PageUp: index + PAGE,
    Home: 0,
    End: last,
  }
  return moves[key]
}

function moveCursor(chart: uPlot, { at, value }: TimePoint): void {
  const { min, max } = chart.scales['x'] ?? {}
  if (min != null && max != null && (at / 1000 < min || at / 1000 > max)) {
    const half = (max - min) / 2
    chart.setScale('x', { min: at / 1000 - half, max: at / 1000 + half })
  }
  chart.setCursor({ left: chart.valToPos(at / 1000, 'x'), top: chart.valToPos(value, 'y') })
}

interface Zoom {
  readonly factor: number
  readonly at: number
  readonly points: readonly TimePoint[]
}

/** Zooms around an instant, within the points. */
function zoom(chart: uPlot, { factor, at, points }: Zoom): void {
  const { min, max } = chart.scales['x'] ?? {}
  const [first, last] = [points[0], points.at(-1)]
  if (min == null || max == null || !first || !last) return
  const center = at / 1000
  chart.setScale('x', {
    min: Math.max(first.at / 1000, center - (center - min) * factor),
    max: Math.min(last.at / 1000, center + (max - center) * factor),
  })
}
