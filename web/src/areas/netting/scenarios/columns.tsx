/** The columns that tables of scenarios share, and the table of one figure. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatInstant, formatMonth, formatMonths } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import type { TableReport } from '../../../ui/export-menu.tsx'
import { Pager } from '../../../ui/pager.tsx'
import { Money } from '../../../ui/value.tsx'
import type { ScenarioHead } from './data.ts'
import { differenceOf, FIGURES, type FigureName, type Part, type SideRow } from './figures.ts'
import { Progress } from './progress.tsx'
import { FigureValue } from './side-parts.tsx'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

type Head = Pick<
  ScenarioHead,
  'id' | 'name' | 'state' | 'is_stale' | 'months_done' | 'months_total' | 'from' | 'to'
>

/** The columns of a list of scenarios. The benefit is part of the result, so that each list reads it by itself. */
export function useHeadColumns<Row extends Head>(benefitOf: (row: Row) => string | null | undefined) {
  const t = useText()
  const { language } = useLanguage()
  return {
    name: {
      id: 'name',
      title: t(TEXTS.SCENARIOS_NAME()),
      cell: ({ id, name }: Row) => (
        <Link to="/netting/scenarios/$scenarioId" params={{ scenarioId: id }}>
          {name}
        </Link>
      ),
    },
    state: {
      id: 'state',
      title: t(TEXTS.SCENARIOS_STATE()),
      cell: (row: Row) => <Progress scenario={row} />,
    },
    months: {
      id: 'months',
      title: t(TEXTS.SCENARIOS_MONTHS()),
      cell: ({ from, to }: Row) => formatMonths(from, to, language),
    },
    benefit: {
      id: 'benefit',
      title: t(TEXTS.SCENARIOS_BENEFIT()),
      isNumber: true,
      cell: (row: Row) => {
        const value = benefitOf(row)
        return value === undefined ? null : <Money value={value} />
      },
    },
  } as const
}

interface Sides {
  readonly name: FigureName
  readonly base: string | null | undefined
  readonly scenario: string | null | undefined
}

/** A figure of the base, that of the scenario, and their difference. */
export function useSideColumns<Row>(sidesOf: (row: Row) => Sides): Column<Row>[] {
  const t = useText()
  const column = (id: string, title: string, sideOf: (sides: Sides) => Sides['base']): Column<Row> => ({
    ...{ id, title, isNumber: true },
    cell: (row) => {
      const sides = sidesOf(row)
      return <FigureValue name={sides.name} value={sideOf(sides)} />
    },
  })
  return [
    column('base', t(TEXTS.SCENARIOS_BASE()), ({ base }) => base),
    column('scenario', t(TEXTS.SCENARIOS_CHANGED()), ({ scenario }) => scenario),
    column('difference', t(TEXTS.SCENARIOS_DIFFERENCE()), ({ base, scenario }) =>
      differenceOf(base, scenario),
    ),
  ]
}

const PAGE_SIZE = 50

interface PartTableProps {
  readonly report: TableReport | null
  readonly rows: readonly SideRow[]
  readonly part: Part
  readonly name: FigureName
  /** Those behind the name of a row. */
  readonly columns: readonly Column<SideRow>[]
}

/** One figure by month, facility or hour, page by page. */
export function PartTable({ report, rows, part, name, columns }: PartTableProps) {
  const t = useText()
  const [page, setPage] = useState(1)
  const keys = useKeyColumns(part)
  return (
    <>
      <DataTable
        report={report}
        caption={t(TEXTS.SCENARIOS_TABLE_OF({ quantity: t(FIGURES[name].text()) }))}
        rows={rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
        keyOf={({ key }) => key}
        empty={t(TEXTS.SCENARIOS_NO_HOURS())}
        columns={[...keys, ...columns]}
      />
      <Pager page={page} pageSize={PAGE_SIZE} total={rows.length} onPage={setPage} />
    </>
  )
}

/** The columns that name a row. */
function useKeyColumns(part: Part): Column<SideRow>[] {
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
