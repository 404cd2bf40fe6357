/** Drawing of stacked columns on the canvas of uPlot. */
import type uPlot from 'uplot'
import type { StackedChartProps } from './stacked-chart.tsx'
import { type PixelColumn, pixelColumns } from './stacked-columns.ts'

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
  const [first, last] = [props.columns[0], props.columns.at(-1)]
  if (!first || !last) return
  const area = {
    left: bbox.left,
    right: bbox.left + bbox.width,
    top: bbox.top,
    bottom: bbox.top + bbox.height,
  }
  const scales = {
    ratio: devicePixelRatio,
    x: linear(first.from, last.to, (at) => chart.valToPos(at / 1000, 'x', true), Math.round),
    y: linear(0, 1, (value) => chart.valToPos(value, 'y', true)),
  }
  const pixels = pixelColumns(props.columns, scales.x)
  context.save()
  context.beginPath()
  context.rect(area.left, 0, bbox.width, area.bottom)
  context.clip()
  drawBackground(context, pixels, area, { paint, hatch: hatchPattern(context, paint, scales.ratio) })
  drawLayers(context, pixels, scales, paint)
  drawMarks(context, pixels, area, { paint, ratio: scales.ratio })
  for (const [line, color] of paint.lines.entries()) drawLine(context, pixels, { line, color, ...scales })
  drawSelected(context, props, area, { color: paint.accent, ...scales })
  context.restore()
  drawSigns(context, pixels, area, { paint, ratio: scales.ratio })
}

/** The positions of a linear scale, from two of them: the scale of uPlot takes a hundred times as long. */
function linear(
  from: number,
  to: number,
  position: (value: number) => number,
  round = (value: number) => value,
): (value: number) => number {
  const start = position(from)
  const factor = (position(to) - start) / (to - from)
  return (value) => round(start + (value - from) * factor)
}

interface Scales {
  readonly ratio: number
  readonly x: (at: number) => number
  readonly y: (value: number) => number
}

const markTop = (area: Area, mark: number, { marks, markPx }: Paint, ratio: number): number =>
  area.top - (marks.length - mark) * markPx * ratio

/** Hatched where a value is unknown, plain where nothing is calculated: neither looks like zero. */
function drawBackground(
  context: CanvasRenderingContext2D,
  pixels: readonly PixelColumn[],
  { top, bottom }: Area,
  { paint, hatch }: { readonly paint: Paint; readonly hatch: CanvasPattern | null },
): void {
  const fill = (style: string | CanvasPattern, isWanted: (pixel: PixelColumn) => boolean) => {
    context.beginPath()
    for (const pixel of pixels) if (isWanted(pixel)) context.rect(pixel.left, top, pixel.width, bottom - top)
    context.fillStyle = style
    context.fill()
  }
  fill(paint.empty, ({ hasKnown, hasUnknown }) => !hasKnown && !hasUnknown)
  fill(hatch ?? paint.empty, ({ hasUnknown }) => hasUnknown)
}

/** Each layer is one path, however many columns it has. */
function drawLayers(
  context: CanvasRenderingContext2D,
  pixels: readonly PixelColumn[],
  { y }: Scales,
  paint: Paint,
): void {
  for (const [layer, color] of paint.layers.entries()) {
    context.beginPath()
    for (const { left, width, tops } of pixels) {
      const [below, top] = [tops[layer - 1] ?? 0, tops[layer] ?? 0]
      // Wide columns leave a gap of a pixel, so that single hours are visible.
      const gap = width >= 6 ? 1 : 0
      if (top > below) context.rect(left, y(top), width - gap, y(below) - y(top))
    }
    context.fillStyle = color
    context.fill()
  }
}

function drawMarks(
  context: CanvasRenderingContext2D,
  pixels: readonly PixelColumn[],
  area: Area,
  { paint, ratio }: { readonly paint: Paint; readonly ratio: number },
): void {
  for (const { left, width, marks } of pixels)
    for (const mark of marks) {
      context.fillStyle = paint.marks[mark]?.color ?? paint.text
      context.fillRect(left, markTop(area, mark, paint, ratio), width, (paint.markPx - 3) * ratio)
    }
}

interface LineScales extends Scales {
  readonly line: number
  readonly color: string
}

/**
 * A stepped line with gaps where the value is unknown; lines after the first one are dashed. Where columns share a
 * pixel the steps would cover the layers: there the line is a point at its largest value.
 */
function drawLine(
  context: CanvasRenderingContext2D,
  pixels: readonly PixelColumn[],
  { line, color, ratio, y }: LineScales,
): void {
  context.beginPath()
  let isOpen = false
  const isNarrow = (pixels[0]?.width ?? 0) < 4 * ratio
  for (const { left, width, lines, isJoined } of pixels) {
    const value = lines[line]
    if (value === undefined) {
      isOpen = false
      continue
    }
    if (isOpen && !isJoined) context.lineTo(left, y(value))
    else context.moveTo(left, y(value))
    context.lineTo(left + width, y(value))
    isOpen = true
  }
  context.strokeStyle = color
  context.lineWidth = (isNarrow ? 1 : 2) * ratio
  context.setLineDash(line === 0 || isNarrow ? [] : [5 * ratio, 3 * ratio])
  context.stroke()
  context.setLineDash([])
}

function drawSelected(
  context: CanvasRenderingContext2D,
  { columns, selected }: StackedChartProps,
  { top, bottom }: Area,
  { color, ratio, x }: Scales & { readonly color: string },
): void {
  const column = selected === undefined ? undefined : columns[selected]
  if (!column) return
  const left = x(column.from)
  context.strokeStyle = color
  context.lineWidth = 3 * ratio
  context.strokeRect(left, top, Math.max(1, x(column.to) - left), bottom - top)
}

/** The sign of each mark that occurs, at the beginning of its row. */
function drawSigns(
  context: CanvasRenderingContext2D,
  pixels: readonly PixelColumn[],
  area: Area,
  { paint, ratio }: { readonly paint: Paint; readonly ratio: number },
): void {
  const used = new Set(pixels.flatMap(({ marks }) => [...marks]))
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
