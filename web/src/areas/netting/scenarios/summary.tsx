import { formatMonth } from '../../../kernel/dates.ts'
import { formatDecimal } from '../../../kernel/decimal.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Notice } from '../../../ui/controls.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Energy, Money } from '../../../ui/value.tsx'
import { useFacilityNames } from '../facilities.ts'
import type { Change } from './change-form.ts'
import { addedFacilities } from './change-text.tsx'
import { useSideColumns } from './columns.tsx'
import { type Scenario, useGroupNames } from './data.ts'
import { FIGURES, TOTAL_FIGURES } from './figures.ts'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

type Totals = NonNullable<Scenario['totals']>

/** The result of a scenario over all groups and months. */
export function Summary({ scenario, totals }: { readonly scenario: Scenario; readonly totals: Totals }) {
  const t = useText()
  const { language } = useLanguage()
  const { benefit_try: benefit, payback_years: payback } = totals
  const sides = useSideColumns((name: (typeof TOTAL_FIGURES)[number]) => ({
    ...{ name, base: totals.base[name], scenario: totals.scenario[name] },
  }))
  return (
    <>
      <div className="cards">
        <section className="card">
          <h2>{t(TEXTS.SCENARIOS_BENEFIT())}</h2>
          <div className="figure">
            <Money value={benefit} />
          </div>
        </section>
        <section className="card">
          <h2>{t(TEXTS.SCENARIOS_PAYBACK())}</h2>
          {payback === null ? (
            <p className="muted">{t(TEXTS.SCENARIOS_NO_PAYBACK())}</p>
          ) : (
            <div className="figure">{formatDecimal(payback, 2, language)}</div>
          )}
        </section>
      </div>
      {benefit === null && <Notice tone="warning">{t(TEXTS.SCENARIOS_NO_PRICE())}</Notice>}
      <LeftOut scenario={scenario} />
      <DataTable
        report={{ list: 'scenario_totals', query: { id: scenario.id } }}
        caption={t(TEXTS.SCENARIOS_TOTALS())}
        rows={TOTAL_FIGURES}
        keyOf={(name) => name}
        empty=""
        columns={[
          { id: 'figure', title: t(TEXTS.SCENARIOS_QUANTITY()), cell: (name) => t(FIGURES[name].text()) },
          ...sides,
        ]}
      />
      {scenario.batteries.length > 0 && <Batteries scenario={scenario} />}
    </>
  )
}

function LeftOut({ scenario: { months_without_result: months } }: { readonly scenario: Scenario }) {
  const t = useText()
  const { language } = useLanguage()
  const groupName = useGroupNames(months.map(({ group_id }) => group_id))
  if (months.length === 0) return null
  const text = months
    .map(({ group_id, billing_period }) => `${groupName(group_id)} ${formatMonth(billing_period, language)}`)
    .join(', ')
  return <Notice tone="warning">{t(TEXTS.SCENARIOS_LEFT_OUT({ months: text }))}</Notice>
}

function Batteries({ scenario: { id: scenarioId, batteries, changes } }: { readonly scenario: Scenario }) {
  const t = useText()
  const added = new Map(
    addedFacilities(changes as unknown as readonly Change[]).map(({ id, name }) => [id, String(name)]),
  )
  const ids = batteries.map(({ facility_id }) => facility_id)
  const facilityName = useFacilityNames(ids.filter((id) => !added.has(id)))
  const columns = [
    ['charged_kwh', TEXTS.SCENARIOS_CHARGED],
    ['discharged_kwh', TEXTS.SCENARIOS_DISCHARGED],
    ['loss_kwh', TEXTS.SCENARIOS_LOSS],
    ['left_kwh', TEXTS.SCENARIOS_LEFT],
  ] as const
  return (
    <DataTable
      report={{ list: 'scenario_batteries', query: { id: scenarioId } }}
      caption={t(TEXTS.SCENARIOS_BATTERIES())}
      rows={batteries}
      keyOf={({ change }) => String(change)}
      empty=""
      columns={[
        {
          id: 'facility',
          title: t(TEXTS.SCENARIOS_FACILITY()),
          cell: ({ facility_id }) => added.get(facility_id) ?? facilityName(facility_id),
        },
        ...columns.map(([field, text]) => ({
          id: field,
          title: t(text()),
          isNumber: true,
          cell: (battery: (typeof batteries)[number]) => <Energy value={battery[field]} />,
        })),
      ]}
    />
  )
}
