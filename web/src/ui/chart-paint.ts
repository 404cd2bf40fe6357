/** Drawing of stacked columns on the canvas of uPlot. */
import type uPlot from 'uplot'
import type { StackedChartProps, StackedColumn } from './stacked-chart.tsx'

export interface Paint {
  readonly layers: readonly string[]
  readonly lines: readonly string[]
  readonly marks: readonly { readonly sign: string; readonly color: string }[]
  readonly text: string
  readonly hatch: string
  readonly empty: string
  readonly accent: string
  /** Height of the row of a mark, in pixels of the page. */
  readonly markPx: number
}

interface Area {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export function drawColumns(chart: uPlot, props: StackedChartProps, paint: Paint): void {
  const { ctx: context, bbox } = chart
  const area = {
    left: bbox.left,
    right: bbox.left + bbox.width,
    top: bbox.top,
    bottom: bbox.top + bbox.height,
  }
  const ratio = devicePixelRatio
  const hatch = hatchPattern(context, paint, ratio)
  const x = (at: number) => Math.round(chart.valToPos(at / 1000, 'x', true))
  const y = (value: number) => chart.valToPos(value, 'y', true)
  context.save()
  context.beginPath()
  context.rect(area.left, 0, bbox.width, area.bottom)
  context.clip()
  props.columns.forEach((column, index) => {
    const left = x(column.from)
    const width = Math.max(1, x(column.to) - left)
    drawBackground(
      context,
      column,
      { left, right: left + width, top: area.top, bottom: area.bottom },
      { paint, hatch },
    )
    drawLayers(context, column, { left, width, y }, paint)
    for (const mark of column.marks) {
      context.fillStyle = paint.marks[mark]?.color ?? paint.text
      context.fillRect(left, markTop(area, mark, paint, ratio), width, (paint.markPx - 3) * ratio)
    }
    if (index === props.selected) {
      context.strokeStyle = paint.accent
      context.lineWidth = 3 * ratio
      context.strokeRect(left, area.top, width, area.bottom - area.top)
    }
  })
  for (const [line, color] of paint.lines.entries())
    drawLine(context, props.columns, { line, color, ratio, x, y })
  context.restore()
  drawSigns(context, props.columns, area, { paint, ratio })
}

const markTop = (area: Area, mark: number, { marks, markPx }: Paint, ratio: number): number =>
  area.top - (marks.length - mark) * markPx * ratio

/** Hatched where a value is unknown, plain where nothing is calculated: neither looks like zero. */
function drawBackground(
  context: CanvasRenderingContext2D,
  { state }: StackedColumn,
  { left, right, top, bottom }: Area,
  { paint, hatch }: { readonly paint: Paint; readonly hatch: CanvasPattern | null },
): void {
  if (state === 'known') return
  context.fillStyle = state === 'unknown' && hatch ? hatch : paint.empty
  context.fillRect(left, top, right - left, bottom - top)
}

interface LayerPlace {
  readonly left: number
  readonly width: number
  readonly y: (value: number) => number
}

function drawLayers(
  context: CanvasRenderingContext2D,
  { layers }: StackedColumn,
  { left, width, y }: LayerPlace,
  paint: Paint,
): void {
  let sum = 0
  // Wide columns leave a gap of a pixel, so that single hours are visible.
  const gap = width >= 6 ? 1 : 0
  layers.forEach((layer, index) => {
    if (layer === null || layer <= 0) return
    const bottom = y(sum)
    sum += layer
    context.fillStyle = paint.layers[index] ?? paint.text
    context.fillRect(left, y(sum), width - gap, bottom - y(sum))
  })
}

interface LinePlace {
  readonly line: number
  readonly color: string
  readonly ratio: number
  readonly x: (at: number) => number
  readonly y: (value: number) => number
}

/** A stepped line with gaps where the value is unknown; lines after the first one are dashed. */
function drawLine(
  context: CanvasRenderingContext2D,
  columns: readonly StackedColumn[],
  { line, color, ratio, x, y }: LinePlace,
): void {
  context.beginPath()
  let isOpen = false
  for (const { from, to, lines } of columns) {
    const value = lines[line]
    if (value === null || value === undefined) {
      isOpen = false
      continue
    }
    if (isOpen) context.lineTo(x(from), y(value))
    else context.moveTo(x(from), y(value))
    context.lineTo(x(to), y(value))
    isOpen = true
  }
  context.strokeStyle = color
  const [first] = columns
  const isNarrow = first !== undefined && x(first.to) - x(first.from) < 4 * ratio
  context.lineWidth = (isNarrow ? 1 : 2) * ratio
  context.setLineDash(line === 0 ? [] : [5 * ratio, 3 * ratio])
  context.stroke()
  context.setLineDash([])
}

/** The sign of each mark that occurs, at the beginning of its row. */
function drawSigns(
  context: CanvasRenderingContext2D,
  columns: readonly StackedColumn[],
  area: Area,
  { paint, ratio }: { readonly paint: Paint; readonly ratio: number },
): void {
  const used = new Set(columns.flatMap(({ marks }) => marks))
  context.save()
  context.fillStyle = paint.text
  context.font = `${11 * ratio}px sans-serif`
  context.textAlign = 'right'
  context.textBaseline = 'middle'
  for (const mark of used) {
    const middle = markTop(area, mark, paint, ratio) + ((paint.markPx - 3) * ratio) / 2
    context.fillText(paint.marks[mark]?.sign ?? '', area.left - 6 * ratio, middle)
  }
  context.restore()
}

function hatchPattern(context: CanvasRenderingContext2D, paint: Paint, ratio: number): CanvasPattern | null {
  const size = Math.round(6 * ratio)
  const tile = document.createElement('canvas')
  tile.width = size
  tile.height = size
  const drawing = tile.getContext('2d')
  if (!drawing) return null
  drawing.strokeStyle = paint.hatch
  drawing.lineWidth = ratio
  drawing.beginPath()
  for (const shift of [-size, 0, size]) {
    drawing.moveTo(shift, size)
    drawing.lineTo(shift + size, 0)
  }
  drawing.stroke()
  return context.createPattern(tile, 'repeat')
}
