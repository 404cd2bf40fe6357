import type { ListItem } from '../../../../clients/typescript/src/index.ts'
import { HOUR_MS, iso } from '../../../../src/kernel/time.ts'
import { useGet } from '../../api/queries.ts'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Button, Notice, Tag } from '../../ui/controls.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Loaded } from '../../ui/page.tsx'
import { Energy } from '../../ui/value.tsx'
import { useGroupMonth } from './group-month.ts'
import { HourAmounts } from './hour-amounts.tsx'
import { HourBalance } from './hour-balance.tsx'
import { HourFacts } from './hour-facts.tsx'
import { HourMovements } from './hour-movements.tsx'
import { HourRun } from './hour-run.tsx'
import { HourVirtualMeters } from './hour-virtual-meters.tsx'
import { PROVENANCE_TEXTS } from './provenance-texts.ts'
import { NETTING_TEXTS } from './texts.ts'
import { QUALITIES, useWord } from './words.ts'

export type HourlyRow = ListItem<'/api/mahsuplasma/groups/{id}/hourly'>

/** Results of one hour that are shown: the current one and those that it superseded. */
const RESULTS_SHOWN = 50

interface HourProvenanceProps {
  readonly hour: string
  readonly onHour: (hour: string) => void
}

/** How the figures of an hour came about, from the meters to the run. */
export function HourProvenance({ hour, onHour }: HourProvenanceProps) {
  const t = useText()
  const { language } = useLanguage()
  const { path } = useGroupMonth()
  const start = Date.parse(hour)
  const range = { from: iso(start), to: iso(start + HOUR_MS) }
  const results = useGet('/api/mahsuplasma/groups/{id}/hourly', {
    path,
    query: { ...range, include_history: true, limit: RESULTS_SHOWN },
  })
  return (
    <section className="card provenance" aria-labelledby="hour-heading">
      <div className="page-head">
        <h2 id="hour-heading" aria-live="polite">
          {t(NETTING_TEXTS.NETTING_HOUR_OF({ hour: formatInstant(hour, 'dateTime', language) }))}
        </h2>
        <div className="row">
          <Button onPress={() => onHour(iso(start - HOUR_MS))}>
            {t(PROVENANCE_TEXTS.PROVENANCE_PREVIOUS_HOUR())}
          </Button>
          <Button onPress={() => onHour(iso(start + HOUR_MS))}>
            {t(PROVENANCE_TEXTS.PROVENANCE_NEXT_HOUR())}
          </Button>
        </div>
      </div>
      <Loaded query={results}>
        {(rows) => {
          const current = rows.find((row) => row.is_current && Date.parse(row.hour) === start)
          return current ? (
            <Result row={current} earlier={rows.filter((row) => !row.is_current)} range={range} />
          ) : (
            <>
              <Notice>{t(PROVENANCE_TEXTS.PROVENANCE_NO_RESULT())}</Notice>
              <HourFacts range={range} />
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

interface ResultProps {
  readonly row: HourlyRow
  readonly earlier: readonly HourlyRow[]
  readonly range: { readonly from: string; readonly to: string }
}

function Result({ row, earlier, range }: ResultProps) {
  const t = useText()
  return (
    <>
      {row.mesken_informational && <Notice>{t(PROVENANCE_TEXTS.PROVENANCE_INFORMATIONAL())}</Notice>}
      <HourBalance row={row} />
      <HourFacts range={range} />
      <HourVirtualMeters range={range} />
      <HourAmounts range={range} />
      <HourMovements row={row} />
      <HourRun row={row} />
      <History
        rows={earlier}
        current={row}
        parameters={{ id: row.group_id, ...range, include_history: true }}
      />
    </>
  )
}

interface HistoryProps {
  readonly rows: readonly HourlyRow[]
  readonly current: HourlyRow
  /** Those of the request. */
  readonly parameters: object
}

/** The results that later runs superseded. They are never deleted. */
function History({ rows, current, parameters }: HistoryProps) {
  const t = useText()
  const word = useWord()
  const energy = (
    id: string,
    title: string,
    field: 'production_kwh' | 'consumption_kwh' | 'matched_kwh' | 'bedelli_kwh' | 'skb_kwh' | 'bedelsiz_kwh',
  ): Column<HourlyRow> => ({ id, title, isNumber: true, cell: (row) => <Energy value={row[field]} /> })
  if (rows.length === 0) return <p className="muted">{t(PROVENANCE_TEXTS.PROVENANCE_NO_HISTORY())}</p>
  return (
    <DataTable
      report={{ list: 'group_hours', query: parameters }}
      caption={t(PROVENANCE_TEXTS.PROVENANCE_HISTORY())}
      rows={[current, ...rows]}
      keyOf={({ id }) => id}
      empty=""
      columns={[
        {
          id: 'run',
          title: t(PROVENANCE_TEXTS.PROVENANCE_RUN()),
          cell: ({ calculation_run_id, is_current }) => (
            <span className="row">
              <code title={calculation_run_id}>{calculation_run_id.slice(0, 8)}</code>
              {is_current && <Tag tone="success">{t(NETTING_TEXTS.NETTING_CURRENT())}</Tag>}
            </span>
          ),
        },
        energy('production', t(NETTING_TEXTS.NETTING_PRODUCTION()), 'production_kwh'),
        energy('consumption', t(NETTING_TEXTS.NETTING_CONSUMPTION()), 'consumption_kwh'),
        energy('matched', t(NETTING_TEXTS.NETTING_MATCHED()), 'matched_kwh'),
        energy('paid', t(NETTING_TEXTS.NETTING_PAID()), 'bedelli_kwh'),
        energy('over', t(NETTING_TEXTS.NETTING_OVER_LIMIT()), 'skb_kwh'),
        energy('free', t(NETTING_TEXTS.NETTING_FREE()), 'bedelsiz_kwh'),
        {
          id: 'quality',
          title: t(NETTING_TEXTS.NETTING_QUALITY()),
          cell: ({ data_quality }) => word(QUALITIES, data_quality),
        },
      ]}
    />
  )
}
