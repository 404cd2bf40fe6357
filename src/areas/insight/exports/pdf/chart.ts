import { FONT, INK, MARGIN, MUTED, type Page, put, RULE, widthOf } from '../../../../platform/pdf/page.ts'

export interface Series {
  readonly title: string
  readonly color: string
  /** One value for each label; null is a gap. */
  readonly values: readonly (number | null)[]
}

export interface Chart {
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  readonly height: number
  readonly print: (value: number) => string
}

const AXIS = 46
const LABELS = 18
const LEGEND = 18
/** Share of the width of a group of bars that is left empty. */
const GAP = 0.28
const LABEL_WIDTH = 44

/** The distance of axis labels: 1, 2 or 5 times a power of ten, so that the axis has about four labels. */
export function stepOf(top: number): number {
  if (top <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(top / 4))
  const factor = [1, 2, 5, 10].find((each) => power * each * 4 >= top) ?? 10
  return power * factor
}

/** Draws grouped bars over an axis, as vector graphics. */
export function drawChart(document: Page, { labels, series, height, print }: Chart): void {
  const left = MARGIN + AXIS
  const width = widthOf(document) - AXIS
  const top = document.y + LEGEND
  const bottom = top + height
  drawLegend(document, series, left)
  const highest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const step = stepOf(highest)
  const lines = Math.max(1, Math.ceil(highest / step - 1e-9))
  document.font(FONT).fontSize(7)
  for (let line = 0; line <= lines; line++) {
    const y = bottom - (line / lines) * height
    document
      .moveTo(left, y)
      .lineTo(left + width, y)
      .lineWidth(line === 0 ? 0.8 : 0.4)
      .stroke(line === 0 ? MUTED : RULE)
    document.fillColor(MUTED)
    put(document, print(line * step), { x: MARGIN, y: y - 4, width: AXIS - 6, align: 'right' })
  }
  const group = width / Math.max(1, labels.length)
  const bar = (group * (1 - GAP)) / Math.max(1, series.length)
  for (const [seriesIndex, { color, values }] of series.entries()) {
    for (const [index, value] of values.entries()) {
      if (value === null || value <= 0) continue
      const tall = (value / (step * lines)) * height
      document
        .rect(left + index * group + (group * GAP) / 2 + seriesIndex * bar, bottom - tall, bar, tall)
        .fill(color)
    }
  }
  drawLabels(document, labels, { left, group, y: bottom + 4 })
  document.fillColor(INK)
  document.x = MARGIN
  document.y = bottom + LABELS
}

function drawLegend(document: Page, series: readonly Series[], left: number): void {
  const y = document.y
  let x = left
  document.font(FONT).fontSize(8)
  for (const { title, color } of series) {
    document.rect(x, y + 1, 8, 8).fill(color)
    document.fillColor(INK).text(title, x + 12, y, { lineBreak: false })
    x += 12 + document.widthOfString(title) + 18
  }
  document.y = y
}

/** Draws as many labels as fit, at equal distances. */
function drawLabels(
  document: Page,
  labels: readonly string[],
  { left, group, y }: { left: number; group: number; y: number },
): void {
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / group))
  document.font(FONT).fontSize(7).fillColor(MUTED)
  for (const [index, label] of labels.entries()) {
    if (index % every !== 0) continue
    const middle = left + (index + 0.5) * group
    put(document, label, { x: middle - LABEL_WIDTH / 2, y, width: LABEL_WIDTH, align: 'center' })
  }
}
