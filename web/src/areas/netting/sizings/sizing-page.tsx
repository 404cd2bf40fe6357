import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { formatInstant, formatMonths } from '../../../kernel/dates.ts'
import { formatDecimal, formatShort } from '../../../kernel/decimal.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { SIZINGS } from '../../../records/calculation-resources.ts'
import { RecordButtons } from '../../../records/record-buttons.tsx'
import { Notice, Tag } from '../../../ui/controls.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { DetailList } from '../../../ui/detail-list.tsx'
import { Loaded, Page } from '../../../ui/page.tsx'
import { Energy, Money } from '../../../ui/value.tsx'
import type { Change } from '../scenarios/change-form.ts'
import { ChangeSummary } from '../scenarios/change-text.tsx'
import { changeWord } from '../scenarios/change-texts.ts'
import { ScenarioFrame } from '../scenarios/marking.tsx'
import { SCENARIO_PAGE_TEXTS } from '../scenarios/texts.ts'
import { NETTING_TEXTS } from '../texts.ts'
import { type Sizing, useSizing } from './data.ts'
import { SizingCurve } from './sizing-curve.tsx'
import { SizingState } from './sizing-state.tsx'
import { SIZING_PAGE_TEXTS as TEXTS } from './texts.ts'

/** A sizing: its progress, and benefit and payback over the size. */
export function SizingPage() {
  const t = useText()
  const navigate = useNavigate()
  const { sizingId } = useParams({ from: '/signed-in/netting/sizings/$sizingId' })
  const query = useSizing(sizingId)
  return (
    <Page
      title={query.data?.name ?? t(TEXTS.SIZINGS_ONE())}
      actions={
        <Link className="button" to="/netting/sizings">
          {t(TEXTS.SIZINGS())}
        </Link>
      }
    >
      <ScenarioFrame>
        <Loaded query={query}>
          {(sizing) => (
            <>
              <Head sizing={sizing} />
              <RecordButtons
                resource={SIZINGS}
                record={{ ...sizing }}
                onDeleted={() => void navigate({ to: '/netting/sizings' })}
              />
              {sizing.points.length > 0 && <Result sizing={sizing} />}
            </>
          )}
        </Loaded>
      </ScenarioFrame>
    </Page>
  )
}

function Head({ sizing }: { readonly sizing: Sizing }) {
  const t = useText()
  const { language } = useLanguage()
  const { from, to, created_at, input_hash, error_change, error } = sizing
  const varied = (sizing.changes as unknown as readonly Change[])[sizing.change]
  return (
    <section className="card">
      <SizingState sizing={sizing} />
      {error !== null && (
        <Notice tone="danger">
          {error_change === null
            ? error
            : t(SCENARIO_PAGE_TEXTS.SCENARIOS_FAULTS_OF({ number: error_change + 1, text: error }))}
        </Notice>
      )}
      <DetailList
        entries={[
          [t(SCENARIO_PAGE_TEXTS.SCENARIOS_MONTHS()), formatMonths(from, to, language)],
          [t(TEXTS.SIZINGS_CHANGE()), `${sizing.change + 1}. ${changeWord(String(varied?.type), t)}`],
          [t(SCENARIO_PAGE_TEXTS.SCENARIOS_CREATED()), formatInstant(created_at, 'dateTime', language)],
          [
            t(SCENARIO_PAGE_TEXTS.SCENARIOS_HASH()),
            input_hash === null ? null : <code key="hash">{input_hash}</code>,
          ],
        ]}
      />
      <ChangeSummary changes={sizing.changes as unknown as readonly Change[]} failedAt={error_change} />
    </section>
  )
}

function Result({ sizing }: { readonly sizing: Sizing }) {
  const t = useText()
  const { language } = useLanguage()
  const { points, binding_size, best_size, unit } = sizing
  const unitText = unit === 'factor' ? t(TEXTS.SIZINGS_FACTOR()) : unit
  const sizeText = (size: string) => `${formatShort(size, language)} ${unitText}`
  const numeric = { isNumber: true } as const
  return (
    <>
      <div className="row">
        <Tag tone={binding_size === null ? 'success' : 'warning'}>
          {binding_size === null
            ? t(TEXTS.SIZINGS_NEVER_BINDS())
            : t(TEXTS.SIZINGS_BINDING({ size: sizeText(binding_size) }))}
        </Tag>
        {best_size !== null && <Tag>{t(TEXTS.SIZINGS_BEST({ size: sizeText(best_size) }))}</Tag>}
      </div>
      <SizingCurve points={points} bindingSize={binding_size} unit={unitText} />
      <DataTable
        report={{ list: 'sizing_points', query: { id: sizing.id } }}
        caption={t(TEXTS.SIZINGS_POINTS())}
        rows={points}
        keyOf={({ size }) => size}
        empty={t(TEXTS.SIZINGS_NONE())}
        columns={[
          {
            ...{ id: 'size', title: t(TEXTS.SIZINGS_SIZE({ unit: unitText })) },
            cell: ({ size }) => formatShort(size, language),
          },
          {
            ...{ id: 'matched', title: t(NETTING_TEXTS.NETTING_MATCHED()), ...numeric },
            cell: ({ matched_kwh }) => <Energy value={matched_kwh} />,
          },
          {
            ...{ id: 'paid', title: t(NETTING_TEXTS.NETTING_PAID()), ...numeric },
            cell: ({ bedelli_kwh }) => <Energy value={bedelli_kwh} />,
          },
          {
            ...{ id: 'over', title: t(NETTING_TEXTS.NETTING_OVER_LIMIT()), ...numeric },
            cell: ({ skb_kwh }) => <Energy value={skb_kwh} />,
          },
          {
            ...{ id: 'benefit', title: t(SCENARIO_PAGE_TEXTS.SCENARIOS_BENEFIT()), ...numeric },
            cell: ({ benefit_try }) => <Money value={benefit_try} />,
          },
          {
            ...{ id: 'cost', title: t(TEXTS.SIZINGS_COST()), ...numeric },
            cell: ({ cost_try }) => (cost_try === null ? '' : <Money value={cost_try} />),
          },
          {
            ...{ id: 'payback', title: t(TEXTS.SIZINGS_PAYBACK()), ...numeric },
            cell: ({ payback_years }) =>
              payback_years === null ? '' : formatDecimal(payback_years, 2, language),
          },
        ]}
      />
    </>
  )
}
