import { useState } from 'react'
import { formatMonth } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Select } from '../../../ui/controls.tsx'
import type { TableReport } from '../../../ui/export-menu.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { PartTable, useSideColumns } from './columns.tsx'
import { type Scenario, useResultRows } from './data.ts'
import { FIGURES_OF, type FigureName, type Part, type ResultRow, type SideRow, sideRows } from './figures.ts'
import { FigureChoice, largest, SideBars, SidesChart } from './side-parts.tsx'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

/** The result of a scenario by month, facility or hour, beside that of its base: one figure at a time. */
export function PartView({ scenario, part }: { readonly scenario: Scenario; readonly part: Part }) {
  const [name, setName] = useState<FigureName>(FIGURES_OF[part][0] ?? 'balance_try')
  const [period, setPeriod] = useState('')
  const { months, isReady, choose, selection } = useMonths(scenario, part, { period, setPeriod })
  const reads = useResultRows(isReady ? [scenario] : [], part, selection)
  const query = { ...reads, data: isReady ? reads.data?.[0] : undefined, error: months.error ?? reads.error }
  return (
    <>
      <div className="row">
        <FigureChoice part={part} value={name} onChange={setName} />
        {choose}
      </div>
      <Loaded query={query}>
        {(rows) => (
          <Sides
            key={`${name} ${period}`}
            report={{ list: `scenario_${part}`, query: { id: scenario.id, ...selection } }}
            rows={sideRows(part, rows, name)}
            part={part}
            name={name}
          />
        )}
      </Loaded>
    </>
  )
}

interface Period {
  readonly period: string
  readonly setPeriod: (period: string) => void
}

/** The choice of the month (of a facility), or of the group and month (of hours), from the months of the result. */
function useMonths(scenario: Scenario, part: Part, { period, setPeriod }: Period) {
  const t = useText()
  const { language } = useLanguage()
  const months = useResultRows([scenario], 'months', {})
  const rows = months.data?.[0] ?? []
  const keyOf = ({ group_id, billing_period }: ResultRow) => `${billing_period} ${group_id}`
  const chosen = rows.find((row) => keyOf(row) === period) ?? (part === 'hours' ? rows[0] : undefined)
  const textOf = ({ billing_period = '', group_name }: ResultRow) =>
    `${formatMonth(billing_period, language)} · ${group_name}`
  const choose = part !== 'months' && rows.length > 0 && (
    <Select
      label={t(TEXTS.SCENARIOS_MONTH())}
      value={chosen ? keyOf(chosen) : ''}
      onChange={setPeriod}
      options={[
        ...(part === 'members' ? [{ value: '', text: t(TEXTS.SCENARIOS_ALL_MONTHS()) }] : []),
        ...rows.map((row) => ({ value: keyOf(row), text: textOf(row) })),
      ]}
    />
  )
  const selection =
    chosen?.group_id !== undefined && chosen.billing_period !== undefined && part !== 'months'
      ? { group_id: chosen.group_id, billing_period: chosen.billing_period }
      : {}
  return { months, isReady: part !== 'hours' || chosen !== undefined, choose, selection }
}

interface SidesProps {
  readonly report: TableReport
  readonly rows: readonly SideRow[]
  readonly part: Part
  readonly name: FigureName
}

function Sides({ report, rows, part, name }: SidesProps) {
  const t = useText()
  const max = largest(rows)
  const sides = useSideColumns(({ base, scenario }: SideRow) => ({ name, base, scenario }))
  const bars = {
    id: 'bars',
    title: t(TEXTS.SCENARIOS_CHART()),
    cell: (row: SideRow) => <SideBars row={row} max={max} name={name} />,
  }
  return (
    <>
      {part !== 'members' && <SidesChart rows={rows} name={name} />}
      <PartTable report={report} rows={rows} part={part} name={name} columns={[...sides, bars]} />
    </>
  )
}
