import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { formatMonth } from '../../../kernel/dates.ts'
import { formatDecimal } from '../../../kernel/decimal.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Notice, Select } from '../../../ui/controls.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Loaded, Page } from '../../../ui/page.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { UI_TEXTS } from '../../../ui/texts.ts'
import { PartTable, useHeadColumns } from './columns.tsx'
import { type Scenario, useResultRows, useScenarioDetails } from './data.ts'
import {
  differenceOf,
  FIGURES,
  FIGURES_OF,
  type FigureName,
  type Part,
  type ResultRow,
  type SideRow,
  sideRows,
  TOTAL_FIGURES,
} from './figures.ts'
import { ScenarioFrame } from './marking.tsx'
import { FigureChoice, FigureValue } from './side-parts.tsx'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

const ROUTE = '/signed-in/netting/scenarios/comparison'

/** Scenarios side by side: their totals, and one figure by month, facility or hour. */
export function ScenarioComparisonPage() {
  const t = useText()
  const { ids = '' } = useSearch({ from: ROUTE })
  const query = useScenarioDetails(ids === '' ? [] : ids.split(','))
  return (
    <Page
      title={t(TEXTS.SCENARIOS_COMPARISON())}
      actions={
        <Link className="button" to="/netting/scenarios">
          {t(TEXTS.SCENARIOS())}
        </Link>
      }
    >
      <ScenarioFrame>
        <Loaded query={query}>{(scenarios) => <Comparison scenarios={scenarios} />}</Loaded>
      </ScenarioFrame>
    </Page>
  )
}

function Comparison({ scenarios }: { readonly scenarios: readonly Scenario[] }) {
  const t = useText()
  const { view = 'summary' } = useSearch({ from: ROUTE })
  const navigate = useNavigate({ from: '/netting/scenarios/comparison' })
  if (scenarios.length === 0) return <Notice>{t(TEXTS.SCENARIOS_COMPARISON_NONE())}</Notice>
  const done = scenarios.filter(({ state }) => state === 'done')
  return (
    <>
      <Heads scenarios={scenarios} />
      <p className="muted">{t(TEXTS.SCENARIOS_COMPARISON_HELP())}</p>
      <Tabs
        label={t(UI_TEXTS.UI_PARTS())}
        selected={view}
        onSelect={(next) =>
          void navigate({
            search: (previous) => ({ ...previous, view: next }),
            replace: true,
            resetScroll: false,
          })
        }
        tabs={[
          { name: 'summary', title: t(TEXTS.SCENARIOS_SUMMARY()) },
          { name: 'months', title: t(TEXTS.SCENARIOS_BY_MONTH()) },
          { name: 'members', title: t(TEXTS.SCENARIOS_BY_MEMBER()) },
          { name: 'hours', title: t(TEXTS.SCENARIOS_BY_HOUR()) },
        ]}
      >
        {view === 'summary' ? <Totals scenarios={done} /> : <Rows key={view} scenarios={done} part={view} />}
      </Tabs>
    </>
  )
}

function Heads({ scenarios }: { readonly scenarios: readonly Scenario[] }) {
  const t = useText()
  const { language } = useLanguage()
  const { name, state, months, benefit } = useHeadColumns<Scenario>(({ totals }) => totals?.benefit_try)
  return (
    <DataTable
      report={{ list: 'scenario_comparison', query: { ids: scenarios.map(({ id }) => id).join() } }}
      caption={t(TEXTS.SCENARIOS())}
      rows={scenarios}
      keyOf={({ id }) => id}
      empty=""
      columns={[
        name,
        state,
        months,
        benefit,
        {
          id: 'payback',
          title: t(TEXTS.SCENARIOS_PAYBACK()),
          isNumber: true,
          cell: ({ totals }) => totals?.payback_years && formatDecimal(totals.payback_years, 2, language),
        },
      ]}
    />
  )
}

interface Both {
  readonly name: FigureName
  readonly base: string | null | undefined
  readonly scenario: string | null | undefined
}

/** The figure of a scenario, and below it the difference from its base. */
function Compared({ name, base, scenario }: Both) {
  if (base === undefined && scenario === undefined) return null
  const difference = differenceOf(base, scenario)
  return (
    <>
      <div>
        <FigureValue name={name} value={scenario} />
      </div>
      {difference !== null && (
        <small className="muted">
          Δ <FigureValue name={name} value={difference} />
        </small>
      )}
    </>
  )
}

function Totals({ scenarios }: { readonly scenarios: readonly Scenario[] }) {
  const t = useText()
  return (
    <DataTable
      report={{ list: 'scenario_comparison', query: { ids: scenarios.map(({ id }) => id).join() } }}
      caption={t(TEXTS.SCENARIOS_TOTALS())}
      rows={TOTAL_FIGURES}
      keyOf={(name) => name}
      empty=""
      columns={[
        { id: 'figure', title: t(TEXTS.SCENARIOS_QUANTITY()), cell: (name) => t(FIGURES[name].text()) },
        ...scenarios.map(({ id, name: title, totals }) => ({
          id,
          title,
          isNumber: true,
          cell: (name: (typeof TOTAL_FIGURES)[number]) => (
            <Compared name={name} base={totals?.base[name]} scenario={totals?.scenario[name]} />
          ),
        })),
      ]}
    />
  )
}

/** The months that any of the scenarios has, by their keys. */
const monthsOf = (lists: readonly (readonly ResultRow[])[]): ReadonlyMap<string, ResultRow> =>
  new Map(lists.flatMap((rows) => rows.map((row) => [`${row.billing_period} ${row.group_id}`, row] as const)))

function Rows({ scenarios, part }: { readonly scenarios: readonly Scenario[]; readonly part: Part }) {
  const t = useText()
  const { language } = useLanguage()
  const [name, setName] = useState<FigureName>(FIGURES_OF[part][0] ?? 'balance_try')
  const [chosen, setChosen] = useState('')
  const months = useResultRows(scenarios, 'months', {})
  const options = monthsOf(months.data ?? [])
  const month = options.get(chosen) ?? [...options.values()][0]
  const selection =
    part === 'hours' && month?.group_id !== undefined && month.billing_period !== undefined
      ? { group_id: month.group_id, billing_period: month.billing_period }
      : {}
  const isReady = part !== 'hours' || month !== undefined
  const reads = useResultRows(isReady ? scenarios : [], part, selection)
  const query = { ...reads, data: isReady ? reads.data : undefined, error: months.error ?? reads.error }
  return (
    <>
      <div className="row">
        <FigureChoice part={part} value={name} onChange={setName} />
        {part === 'hours' && options.size > 0 && (
          <Select
            label={t(TEXTS.SCENARIOS_MONTH())}
            value={chosen === '' ? ([...options.keys()][0] ?? '') : chosen}
            onChange={setChosen}
            options={[...options].map(([value, { billing_period = '', group_name }]) => ({
              value,
              text: `${formatMonth(billing_period, language)} · ${group_name}`,
            }))}
          />
        )}
      </div>
      <Loaded query={query}>
        {(lists) => (
          <RowTable
            key={`${name} ${chosen}`}
            scenarios={scenarios}
            lists={lists.map((rows) => sideRows(part, rows, name))}
            part={part}
            name={name}
          />
        )}
      </Loaded>
    </>
  )
}

interface RowTableProps {
  readonly scenarios: readonly Scenario[]
  /** The rows of each scenario. */
  readonly lists: readonly (readonly SideRow[])[]
  readonly part: Part
  readonly name: FigureName
}

function RowTable({ scenarios, lists, part, name }: RowTableProps) {
  const byKey = lists.map((rows) => new Map(rows.map((row) => [row.key, row])))
  const all = new Map(lists.flatMap((rows) => rows.map((row) => [row.key, row] as const)))
  const rows = [...all.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const columns = scenarios.map(({ id, name: title }, index) => ({
    ...{ id, title, isNumber: true },
    cell: ({ key }: SideRow) => {
      const row = byKey[index]?.get(key)
      return <Compared name={name} base={row?.base} scenario={row?.scenario} />
    },
  }))
  return <PartTable report={null} rows={rows} part={part} name={name} columns={columns} />
}
