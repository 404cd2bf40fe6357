/**
 * A line over time, drawn by uPlot on a canvas: the only module that uses it. A canvas says nothing to a screen reader,
 * so each use has a text or a table beside it. Measured values are floating point, as meters send them.
 */
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatInstant } from '../kernel/dates.ts'
import { useLanguage } from '../kernel/text.tsx'

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
  const frame = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  const latest = useRef(points)
  latest.current = points

  useEffect(() => {
    const element = frame.current
    if (!element) return
    const style = getComputedStyle(element)
    const text = style.getPropertyValue('color')
    const grid = { stroke: resolveColor(element, '--border'), width: 1 }
    const axis = { stroke: text, grid, ticks: grid }
    // uPlot draws on a canvas, which knows no variables of a style sheet: a probe resolves the colour.
    const stroke = resolveColor(element, color)
    const created = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        series: [
          { value: (_chart, at) => (at === null ? '' : formatInstant(at * 1000, 'seconds', language)) },
          { label: `${label} (${unit})`, stroke, width: 2, points: { show: false } },
        ],
        axes: [
          {
            ...axis,
            values: (_chart, splits) => splits.map((at) => formatInstant(at * 1000, 'time', language)),
          },
          { ...axis, size: 64 },
        ],
      },
      dataOf(latest.current),
      element,
    )
    chart.current = created
    const resize = new ResizeObserver(() => created.setSize({ width: element.clientWidth, height: HEIGHT }))
    resize.observe(element)
    return () => {
      resize.disconnect()
      created.destroy()
      chart.current = undefined
    }
  }, [label, unit, color, language])

  useEffect(() => {
    chart.current?.setData(dataOf(points))
  }, [points])

  return <div ref={frame} className="chart" aria-hidden="true" />
}

const dataOf = (points: readonly TimePoint[]): uPlot.AlignedData => [
  points.map(({ at }) => at / 1000),
  points.map(({ value }) => value),
]

function resolveColor(element: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  element.append(probe)
  const color = getComputedStyle(probe).color
  probe.remove()
  return color
}
