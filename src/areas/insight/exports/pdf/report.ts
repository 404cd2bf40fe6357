import type { Readable } from 'node:stream'
import { qualityOfSum } from '../../../../core/netting/counter/quality.ts'
import {
  BOLD,
  FONT,
  INK,
  MARGIN,
  MUTED,
  makeRoom,
  numberPages,
  openDocument,
  type Page,
  put,
  RULE,
  SHADE,
  widthOf,
} from '../../../../platform/pdf/page.ts'
import { drawChart, type Series } from './chart.ts'
import type { ReportFigures, Sums } from './figures.ts'
import { type ReportLanguage, reportLanguage } from './labels.ts'
import { drawTable } from './table.ts'

export interface ReportInput {
  readonly figures: ReportFigures
  readonly locale: 'tr' | 'en'
  /** Time of creation, epoch milliseconds. */
  readonly at: number
}

const CONSUMPTION = '#2a6f97'
const PRODUCTION = '#e9a23b'
const EXPORTED = '#6aa84f'
const CHART_HEIGHT = 150
const NONE = '–'
const KILO = 1000

/** Writes an energy report as PDF: parameters, totals, a chart, and a row for each day or month. */
export function writeReport({ figures, locale, at }: ReportInput): Readable {
  const language = reportLanguage(locale)
  const document = openDocument({ title: language.title, at, language: locale })
  drawTitle(document, language, { figures, at })
  drawTiles(document, language, figures.total)
  const hasData = figures.devices.some(({ sums }) => amounts(sums).some((value) => value !== null))
  if (hasData) {
    drawEnergyChart(document, language, figures)
    drawTotals(document, language, figures)
    drawBuckets(document, language, figures)
    if (figures.total.isEstimated) note(document, language.estimated)
    if (figures.devices.length > 1) note(document, language.doubled)
  } else {
    document
      .font(FONT)
      .fontSize(11)
      .fillColor(MUTED)
      .text(language.noData, MARGIN, document.y + 30)
  }
  numberPages(document, language, `Netsaat · ${language.clock}`)
  document.end()
  return document as unknown as Readable
}

function drawTitle(
  document: Page,
  language: ReportLanguage,
  { figures, at }: { figures: ReportFigures; at: number },
): void {
  const { range, devices } = figures
  document.rect(0, 0, document.page.width, 6).fill(CONSUMPTION)
  document.font(BOLD).fontSize(20).fillColor(INK).text(language.title, MARGIN, MARGIN)
  document.font(FONT).fontSize(9).fillColor(MUTED)
  const first = devices
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ')
  const names = devices.length > 3 ? `${first} +${devices.length - 3}` : first
  const lines = [
    `${language.period}: ${language.date(range.from)} – ${language.date(range.to - 1)}`,
    `${language.devices}: ${names || NONE}`,
    `${language.made}: ${language.time(at)}`,
  ]
  let y = document.y + 4
  for (const line of lines) {
    put(document, line, { x: MARGIN, y, width: widthOf(document) })
    y += 13
  }
  document.y = y + 8
}

const kWh = (language: ReportLanguage, value: number | null, decimals = 1): string =>
  value === null ? NONE : language.number(value / KILO, decimals)

/** Draws the three main totals. */
function drawTiles(document: Page, language: ReportLanguage, total: Sums): void {
  const tiles = [
    [language.consumption, total.consumption, CONSUMPTION],
    [language.production, total.production, PRODUCTION],
    [language.exported, total.exported, EXPORTED],
  ] as const
  const gap = 10
  const width = (widthOf(document) - 2 * gap) / 3
  const y = document.y
  for (const [index, [title, value, color]] of tiles.entries()) {
    const x = MARGIN + index * (width + gap)
    document.roundedRect(x, y, width, 46, 4).fill(SHADE)
    document.rect(x, y + 6, 3, 34).fill(color)
    document.font(FONT).fontSize(8).fillColor(MUTED)
    put(document, title, { x: x + 12, y: y + 8, width: width - 20 })
    document.font(BOLD).fontSize(13).fillColor(INK)
    const shown = value === null ? NONE : `${kWh(language, value)} kWh`
    put(document, shown, { x: x + 12, y: y + 22, width: width - 20 })
  }
  document.font(FONT).fillColor(INK)
  document.y = y + 62
}

function heading(document: Page, text: string, below: number): void {
  makeRoom(document, 24 + below)
  document
    .font(BOLD)
    .fontSize(11)
    .fillColor(INK)
    .text(text, MARGIN, document.y + 4)
  document
    .moveTo(MARGIN, document.y + 2)
    .lineTo(MARGIN + widthOf(document), document.y + 2)
    .lineWidth(0.5)
    .stroke(RULE)
  document.y += 8
  document.font(FONT).fontSize(9)
}

const bucketLabel = (language: ReportLanguage, { interval }: ReportFigures, start: number): string =>
  interval === 'monthly' ? language.monthName(start) : language.date(start)

function drawEnergyChart(document: Page, language: ReportLanguage, figures: ReportFigures): void {
  const isMonthly = figures.interval === 'monthly'
  heading(document, isMonthly ? language.chartMonth : language.chartDay, CHART_HEIGHT + 40)
  const values = (pick: (sums: Sums) => number | null) =>
    figures.buckets.map(({ sums }) => {
      const value = pick(sums)
      return value === null ? null : value / KILO
    })
  const all: Series[] = [
    { title: language.consumption, color: CONSUMPTION, values: values(({ consumption }) => consumption) },
    { title: language.production, color: PRODUCTION, values: values(({ production }) => production) },
    { title: language.exported, color: EXPORTED, values: values(({ exported }) => exported) },
  ]
  drawChart(document, {
    labels: figures.buckets.map(({ start }) => shortLabel(language, isMonthly, start)),
    series: all.filter((series) => series.values.some((value) => value !== null && value !== 0)),
    height: CHART_HEIGHT,
    print: (value) => language.number(value, value < 10 && !Number.isInteger(value) ? 1 : 0),
  })
  document.y += 4
}

/** A short label of a day (05.11 or 11-05) or of a month (11.2026 or 2026-11). */
function shortLabel(language: ReportLanguage, isMonthly: boolean, start: number): string {
  const date = language.date(start)
  const isTurkish = date.includes('.')
  if (isMonthly) return isTurkish ? date.slice(3) : date.slice(0, 7)
  return isTurkish ? date.slice(0, 5) : date.slice(5)
}

function energyColumns(language: ReportLanguage, first: string) {
  const number = { share: 0.13, isNumber: true } as const
  return [
    { title: first, share: 0.24 },
    { title: language.consumption, unit: 'kWh', ...number },
    { title: language.production, unit: 'kWh', ...number },
    { title: language.exported, unit: 'kWh', ...number },
    { title: language.inductive, unit: 'kvarh', ...number },
    { title: language.capacitive, unit: 'kvarh', ...number },
    { title: language.quality, share: 0.11 },
  ]
}

const amounts = ({ consumption, production, exported, inductive, capacitive }: Sums) => [
  consumption,
  production,
  exported,
  inductive,
  capacitive,
]

/**
 * The number of decimals of kWh, the same in every row: three, or none where the totals would be too wide.
 */
function decimalsOf(total: Sums): number {
  const largest = Math.max(...amounts(total).map((value) => Math.abs(value ?? 0) / KILO))
  if (largest < 100_000) return 3
  return largest < 10_000_000 ? 1 : 0
}

const cells = (language: ReportLanguage, decimals: number, { name, sums }: Named): string[] => [
  sums.isEstimated ? `${name} *` : name,
  ...amounts(sums).map((value) => kWh(language, value, decimals)),
  language[qualityOfSum(sums.qualities)],
]
interface Named {
  readonly name: string
  readonly sums: Sums
}

function drawTotals(document: Page, language: ReportLanguage, { devices, total }: ReportFigures): void {
  heading(document, language.totalsTitle, 80)
  const row = (named: Named) => cells(language, decimalsOf(total), named)
  drawTable(document, {
    columns: energyColumns(language, language.device),
    rows: devices.map(row),
    ...(devices.length > 1 && { total: row({ name: language.total, sums: total }) }),
  })
}

function drawBuckets(document: Page, language: ReportLanguage, figures: ReportFigures): void {
  const { buckets, total, interval } = figures
  const isMonthly = interval === 'monthly'
  heading(document, isMonthly ? language.rowsMonth : language.rowsDay, 80)
  const row = (named: Named) => cells(language, decimalsOf(total), named)
  drawTable(document, {
    columns: energyColumns(language, isMonthly ? language.month : language.day),
    rows: buckets.map(({ start, sums }) => row({ name: bucketLabel(language, figures, start), sums })),
    total: row({ name: language.total, sums: total }),
  })
}

function note(document: Page, text: string): void {
  makeRoom(document, 24)
  document.font(FONT).fontSize(7.5).fillColor(MUTED)
  document.text(text, MARGIN, document.y + 2, { width: widthOf(document) })
}
