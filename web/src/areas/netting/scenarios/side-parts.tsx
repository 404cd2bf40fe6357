/** What the detail page and the comparison share: the choice of the figure, of the group and month, and of values. */
import { useMemo } from 'react'
import { HOUR_MS } from '../../../../../src/kernel/time.ts'
import { addMonths, beginningOf } from '../../../kernel/dates.ts'
import { approximate } from '../../../kernel/decimal.ts'
import { useText } from '../../../kernel/text.tsx'
import { Select } from '../../../ui/controls.tsx'
import { StackedChart } from '../../../ui/stacked-chart.tsx'
import { Energy, Money } from '../../../ui/value.tsx'
import { FIGURES, FIGURES_OF, type FigureName, type Part, type SideRow } from './figures.ts'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

/** The value of a figure; nothing where the side has no such row. */
export function FigureValue({
  name,
  value,
}: {
  readonly name: FigureName
  readonly value: string | null | undefined
}) {
  if (value === undefined) return null
  return FIGURES[name].unit === 'try' ? <Money value={value} /> : <Energy value={value} />
}

interface FigureChoiceProps {
  readonly part: Part
  readonly value: FigureName
  readonly onChange: (name: FigureName) => void
}

export function FigureChoice({ part, value, onChange }: FigureChoiceProps) {
  const t = useText()
  return (
    <Select
      label={t(TEXTS.SCENARIOS_QUANTITY())}
      value={value}
      onChange={onChange}
      options={FIGURES_OF[part].map((name) => ({ value: name, text: t(FIGURES[name].text()) }))}
    />
  )
}

const position = (value: string | null | undefined): number | null =>
  typeof value === 'string' ? approximate(value) : null

function spanOf({ row: { hour, billing_period = '' } }: SideRow) {
  if (hour !== undefined) return { from: Date.parse(hour), to: Date.parse(hour) + HOUR_MS }
  const month = billing_period.slice(0, 7)
  return { from: beginningOf(month).getTime(), to: beginningOf(addMonths(month, 1)).getTime() }
}

/** The course of a figure: the scenario as a line, its base dashed. Groups of one month are drawn as their sum. */
export function SidesChart({ rows, name }: { readonly rows: readonly SideRow[]; readonly name: FigureName }) {
  const t = useText()
  const columns = useMemo(() => {
    const byStart = new Map<number, { to: number; lines: (number | null)[] }>()
    for (const row of rows) {
      const { from, to } = spanOf(row)
      const before = byStart.get(from)?.lines ?? [null, null]
      const lines = [row.scenario, row.base].map((value, index) => {
        const [sum, own] = [before[index] ?? null, position(value)]
        return sum === null ? own : own === null ? sum : sum + own
      })
      byStart.set(from, { to, lines })
    }
    return [...byStart]
      .toSorted(([a], [b]) => a - b)
      .map(([from, { to, lines }]) => ({
        ...{ from, to, lines, layers: [], marks: [] },
        state: lines.every((line) => line === null) ? ('unknown' as const) : ('known' as const),
      }))
  }, [rows])
  const color = FIGURES[name].color
  const isDrawn = columns.every(({ lines }) => lines.every((line) => line === null || line >= 0))
  // The chart begins at zero; a figure that is negative has the bars of its table.
  if (!isDrawn || columns.length === 0) return null
  return (
    <div>
      <ul className="signs">
        <li>
          <span className="swatch" style={{ background: `var(${color})` }} /> {t(TEXTS.SCENARIOS_CHANGED())}
        </li>
        <li>
          <span className="swatch dashed" /> {t(TEXTS.SCENARIOS_BASE())}
        </li>
      </ul>
      <StackedChart
        columns={columns}
        layerColors={[]}
        lineColors={[color, '--text-muted']}
        marks={[]}
        selected={undefined}
        height={240}
      />
    </div>
  )
}

interface BarsProps {
  readonly row: SideRow
  /** The largest value of the table. */
  readonly max: number
  readonly name: FigureName
}

/** Both sides as bars by their sizes; negative values are hatched. */
export function SideBars({ row, max, name }: BarsProps) {
  const bar = (value: string | null | undefined, color: string) => {
    const at = position(value) ?? 0
    const width = `${(max > 0 ? (Math.abs(at) / max) * 100 : 0).toFixed(2)}%`
    return (
      <span
        data-negative={at < 0 || undefined}
        style={{ '--bar-width': width, '--bar-color': `var(${color})` }}
      />
    )
  }
  return (
    <div className="side-bars" aria-hidden="true">
      {bar(row.base, '--text-muted')}
      {bar(row.scenario, FIGURES[name].color)}
    </div>
  )
}

export const largest = (rows: readonly SideRow[]): number =>
  rows.reduce(
    (max, { base, scenario }) =>
      Math.max(max, Math.abs(position(base) ?? 0), Math.abs(position(scenario) ?? 0)),
    0,
  )
