import { useState } from 'react'
import { formatInstant, formatMonth } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Select } from '../../../ui/controls.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import type { TableReport } from '../../../ui/export-menu.tsx'
import { Loaded } from '../../../ui/page.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { type Scenario, useResultRows } from './data.ts'
import {
  differenceOf,
  FIGURES,
  FIGURES_OF,
  type FigureName,
  type Part,
  type ResultRow,
  type SideRow,
  sideRows,
} from './figures.ts'
import { FigureChoice, FigureValue, largest, SideBars, SidesChart } from './side-parts.tsx'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

const PAGE_SIZE = 50

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
  const [page, setPage] = useState(1)
  const max = largest(rows)
  const keys = useKeyColumns(part)
  return (
    <>
      {part !== 'members' && <SidesChart rows={rows} name={name} />}
      <DataTable
        report={report}
        caption={t(TEXTS.SCENARIOS_TABLE_OF({ quantity: t(FIGURES[name].text()) }))}
        rows={rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
        keyOf={({ key }) => key}
        empty={t(TEXTS.SCENARIOS_NO_HOURS())}
        columns={[
          ...keys,
          {
            id: 'base',
            title: t(TEXTS.SCENARIOS_BASE()),
            isNumber: true,
            cell: ({ base }) => <FigureValue name={name} value={base} />,
          },
          {
            id: 'scenario',
            title: t(TEXTS.SCENARIOS_CHANGED()),
            isNumber: true,
            cell: ({ scenario }) => <FigureValue name={name} value={scenario} />,
          },
          {
            id: 'difference',
            title: t(TEXTS.SCENARIOS_DIFFERENCE()),
            isNumber: true,
            cell: ({ base, scenario }) => <FigureValue name={name} value={differenceOf(base, scenario)} />,
          },
          {
            id: 'bars',
            title: t(TEXTS.SCENARIOS_CHART()),
            cell: (row) => <SideBars row={row} max={max} name={name} />,
          },
        ]}
      />
      <Pager page={page} pageSize={PAGE_SIZE} total={rows.length} onPage={setPage} />
    </>
  )
}

/** The columns that name a row. */
export function useKeyColumns(part: Part): Column<SideRow>[] {
  const t = useText()
  const { language } = useLanguage()
  const group = {
    id: 'group',
    title: t(TEXTS.SCENARIOS_GROUP()),
    cell: ({ row }: SideRow) => row.group_name ?? row.group_id,
  }
  const month = {
    id: 'month',
    title: t(TEXTS.SCENARIOS_MONTH()),
    cell: ({ row }: SideRow) => formatMonth(row.billing_period ?? '', language),
  }
  const facility = {
    id: 'facility',
    title: t(TEXTS.SCENARIOS_FACILITY()),
    cell: ({ row }: SideRow) => row.facility_name ?? row.facility_id,
  }
  const hour = {
    id: 'hour',
    title: t(TEXTS.SCENARIOS_HOUR()),
    cell: ({ row }: SideRow) => formatInstant(row.hour ?? '', 'dateTime', language),
  }
  if (part === 'hours') return [hour]
  return part === 'months' ? [month, group] : [facility]
}
