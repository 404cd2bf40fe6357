/**
 * Stacked columns and lines over time. uPlot draws the axes and handles the pointer; the columns are drawn here, so
 * that unknown columns are hatched and marks have rows of their own above the plot. A canvas says nothing to a screen
 * reader: each use has the same figures as texts beside it.
 */
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useLanguage } from '../kernel/text.tsx'
import { resolveColor, useColorScheme } from './canvas-colors.ts'
import { drawColumns, type Paint } from './chart-paint.ts'
import { columnIndexAt, type StackedColumn } from './stacked-columns.ts'
import { axisTexts } from './time-axis.ts'

export interface StackedChartProps {
  readonly columns: readonly StackedColumn[]
  /** Colours of the style sheet, such as `--energy-matched`. */
  readonly layerColors: readonly string[]
  readonly lineColors: readonly string[]
  readonly marks: readonly { readonly sign: string; readonly color: string }[]
  readonly selected: number | undefined
  /** Called with the index of the column under the pointer. */
  readonly onHover?: (index: number | undefined) => void
  readonly onSelect?: (index: number) => void
  readonly onZoom?: (from: number, to: number) => void
  /** In pixels. */
  readonly height?: number
}

const HEIGHT = 340
/** Height of the row of a mark. */
const MARK_PX = 12
/** A shorter movement of the pointer is a click. */
const DRAG_MIN_PX = 4

export function StackedChart(props: StackedChartProps) {
  const { language } = useLanguage()
  const frame = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(undefined)
  const latest = useRef(props)
  latest.current = props
  const scheme = useColorScheme()
  const { columns, layerColors, lineColors, marks, selected, height = HEIGHT } = props
  const colors = [...layerColors, ...lineColors, ...marks.map(({ color }) => color), scheme].join(' ')

  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are compared by their names
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const created = create(element, language, latest)
    chart.current = created
    const resize = new ResizeObserver(() => created.setSize({ width: element.clientWidth, height }))
    resize.observe(element)
    return () => {
      resize.disconnect()
      created.destroy()
      chart.current = undefined
    }
  }, [language, colors, height])

  useEffect(() => {
    chart.current?.setData(dataOf(columns))
  }, [columns])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the selected column is drawn
  useEffect(() => {
    chart.current?.redraw(false)
  }, [selected])

  return <div ref={frame} className="chart" aria-hidden="true" />
}

/** The scale of the values follows the top of the stack and the lines; the last point closes the last column. */
function dataOf(columns: readonly StackedColumn[]): uPlot.AlignedData {
  const top = ({ layers, lines }: StackedColumn): number => {
    let stack = 0
    for (const layer of layers) stack += layer ?? 0
    return Math.max(stack, ...lines.map((line) => line ?? 0))
  }
  const last = columns.at(-1)
  return [
    [...columns.map(({ from }) => from / 1000), ...(last ? [last.to / 1000] : [])],
    [...columns.map((column) => top(column)), ...(last ? [null] : [])],
  ]
}

interface Latest {
  readonly current: StackedChartProps
}

function create(element: HTMLElement, language: 'tr' | 'en', latest: Latest): uPlot {
  const grid = { stroke: resolveColor(element, '--border'), width: 1 }
  const axis = { stroke: resolveColor(element, '--text-muted'), grid, ticks: grid }
  const paint = paintOf(element, latest.current)
  const created = new uPlot(
    {
      width: element.clientWidth,
      height: latest.current.height ?? HEIGHT,
      padding: [latest.current.marks.length * MARK_PX + 4, 24, 0, 0],
      legend: { show: false },
      tzDate: (at) => uPlot.tzDate(new Date(at * 1000), 'Europe/Istanbul'),
      cursor: {
        drag: { x: latest.current.onZoom !== undefined, y: false, setScale: false, dist: DRAG_MIN_PX },
        points: { show: false },
      },
      scales: { y: { range: (_chart, _min, max) => [0, max > 0 ? max * 1.05 : 1] } },
      series: [{}, { paths: () => null, points: { show: false } }],
      axes: [
        { ...axis, values: (_chart, splits) => axisTexts(splits, language) },
        {
          ...axis,
          size: 72,
          values: (_chart, splits) => splits.map((value) => value.toLocaleString(language)),
        },
      ],
      hooks: {
        draw: [(chart) => drawColumns(chart, latest.current, paint)],
        setCursor: [(chart) => latest.current.onHover?.(columnAt(chart, latest.current))],
        setSelect: [
          (chart) => {
            const { left, width } = chart.select
            if (width < DRAG_MIN_PX) return
            latest.current.onZoom?.(
              chart.posToVal(left, 'x') * 1000,
              chart.posToVal(left + width, 'x') * 1000,
            )
            chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
          },
        ],
      },
    },
    dataOf(latest.current.columns),
    element,
  )
  created.over.addEventListener('click', () => {
    const index = columnAt(created, latest.current)
    if (index !== undefined) latest.current.onSelect?.(index)
  })
  return created
}

/** The column under the pointer. */
function columnAt(chart: uPlot, { columns }: StackedChartProps): number | undefined {
  const { left } = chart.cursor
  if (left === undefined || left < 0) return undefined
  return columnIndexAt(columns, chart.posToVal(left, 'x') * 1000)
}

const paintOf = (element: HTMLElement, { layerColors, lineColors, marks }: StackedChartProps): Paint => ({
  layers: layerColors.map((name) => resolveColor(element, name)),
  lines: lineColors.map((name) => resolveColor(element, name)),
  marks: marks.map(({ sign, color }) => ({ sign, color: resolveColor(element, color) })),
  text: resolveColor(element, '--text'),
  hatch: resolveColor(element, '--border-strong'),
  empty: resolveColor(element, '--surface-raised'),
  accent: resolveColor(element, '--accent'),
  markPx: MARK_PX,
})
