import type { Message } from '../../../../../src/kernel/messages.ts'
import { formatDecimal } from '../../../kernel/decimal.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Notice } from '../../../ui/controls.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Energy, Money } from '../../../ui/value.tsx'
import type { Optimisation } from './optimisation-page.tsx'
import { Flows, GroupTable } from './parts.tsx'
import { SetPoints } from './set-points.tsx'
import { OPTIMISATION_PAGE_TEXTS as TEXTS } from './texts.ts'

type Result = NonNullable<Optimisation['result']>

const FIGURES = [
  ['production_kwh', TEXTS.OPTIMISATIONS_PRODUCTION],
  ['consumption_kwh', TEXTS.OPTIMISATIONS_CONSUMPTION],
  ['matched_kwh', TEXTS.OPTIMISATIONS_MATCHED],
  ['net_import_kwh', TEXTS.OPTIMISATIONS_BOUGHT],
  ['bedelli_kwh', TEXTS.OPTIMISATIONS_PAID],
  ['skb_kwh', TEXTS.OPTIMISATIONS_OVER],
  ['bedelsiz_kwh', TEXTS.OPTIMISATIONS_FREE],
  ['balance_try', TEXTS.OPTIMISATIONS_BALANCE],
] as const

interface ResultProps {
  readonly optimisation: Optimisation
  readonly result: Result
}

/** What the proposal brings, how far it can be from the best, and what it consists of. */
export function OptimisationResult({ optimisation, result }: ResultProps) {
  const t = useText()
  const { language } = useLanguage()
  const { gap_percent: percent, solver } = result
  return (
    <>
      <div className="cards">
        <section className="card">
          <h2>{t(TEXTS.OPTIMISATIONS_BENEFIT())}</h2>
          <div className="figure">
            <Money value={result.benefit_try} />
          </div>
        </section>
        <section className="card">
          <h2>{t(TEXTS.OPTIMISATIONS_GAP())}</h2>
          <div className="figure">
            <Money value={result.gap_try} />
          </div>
          {percent !== null && (
            <p>{t(TEXTS.OPTIMISATIONS_GAP_PERCENT({ percent: formatDecimal(percent, 4, language) }))}</p>
          )}
          <p className="muted">{t(TEXTS.OPTIMISATIONS_GAP_HELP())}</p>
        </section>
        <section className="card">
          <h2>{t(TEXTS.OPTIMISATIONS_BOUND())}</h2>
          <div className="figure">
            <Money value={result.bound_try} />
          </div>
          <p className="muted">
            {t(
              TEXTS.OPTIMISATIONS_SOLVER_TEXT({
                name: solver.name,
                columns: solver.columns,
                rows: solver.rows,
              }),
            )}
          </p>
        </section>
      </div>
      {solver.status === 'limit' && <Notice tone="warning">{t(TEXTS.OPTIMISATIONS_LIMIT())}</Notice>}
      <FigureTable optimisation={optimisation} result={result} />
      <CandidateTable optimisation={optimisation} />
      {optimisation.outlooks.length > 0 && <OutlookTable optimisation={optimisation} />}
      {optimisation.groups.length > 0 && <GroupTable optimisation={optimisation} />}
      {optimisation.kind === 'allocation' && <Flows id={optimisation.id} />}
      {optimisation.request.batteries && <SetPoints id={optimisation.id} />}
    </>
  )
}

interface ListProps {
  readonly optimisation: Optimisation
}

/** A coming day has not happened: its base is the forecast without the batteries. */
function FigureTable({ optimisation: { id, kind }, result }: ResultProps) {
  const t = useText()
  const baseText = kind === 'battery_next_day' ? TEXTS.OPTIMISATIONS_WITHOUT : TEXTS.OPTIMISATIONS_BASE
  const value = (side: 'base' | 'proposal', name: (typeof FIGURES)[number][0]) =>
    name === 'balance_try' ? <Money value={result[side][name]} /> : <Energy value={result[side][name]} />
  return (
    <DataTable
      report={{ list: 'optimisation_result', query: { id } }}
      caption={t(TEXTS.OPTIMISATIONS_FIGURES())}
      rows={FIGURES}
      keyOf={([name]) => name}
      empty=""
      columns={[
        { id: 'figure', title: t(TEXTS.OPTIMISATIONS_FIGURE()), cell: ([, text]) => t(text()) },
        {
          id: 'base',
          title: t(baseText()),
          isNumber: true,
          cell: ([name]) => value('base', name),
        },
        {
          id: 'proposal',
          title: t(TEXTS.OPTIMISATIONS_PROPOSAL()),
          isNumber: true,
          cell: ([name]) => value('proposal', name),
        },
      ]}
    />
  )
}

const CANDIDATES: Readonly<Record<string, () => Message>> = {
  solver: TEXTS.OPTIMISATIONS_CANDIDATE_solver,
  rule_group: TEXTS.OPTIMISATIONS_CANDIDATE_rule_group,
  rule_facility: TEXTS.OPTIMISATIONS_CANDIDATE_rule_facility,
  base: TEXTS.OPTIMISATIONS_CANDIDATE_base,
  solver_first_month: TEXTS.OPTIMISATIONS_CANDIDATE_solver_first_month,
  solver_improved: TEXTS.OPTIMISATIONS_CANDIDATE_solver_improved,
  proportional: TEXTS.OPTIMISATIONS_CANDIDATE_proportional,
}

function CandidateTable({ optimisation: { id, candidates } }: ListProps) {
  const t = useText()
  const nameOf = (name: string): string => {
    const text = CANDIDATES[name]
    return text ? t(text()) : name
  }
  return (
    <DataTable
      report={{ list: 'optimisation_candidates', query: { id } }}
      caption={t(TEXTS.OPTIMISATIONS_CANDIDATES())}
      rows={candidates}
      keyOf={({ name }) => name}
      empty=""
      columns={[
        { id: 'name', title: t(TEXTS.OPTIMISATIONS_CANDIDATE()), cell: ({ name }) => nameOf(name) },
        {
          id: 'balance',
          title: t(TEXTS.OPTIMISATIONS_BALANCE()),
          isNumber: true,
          cell: ({ balance_try }) => <Money value={balance_try} />,
        },
      ]}
    />
  )
}

/** The proposal where the day is at the ends of the band of the forecast. */
function OutlookTable({ optimisation: { id, outlooks } }: ListProps) {
  const t = useText()
  return (
    <DataTable
      report={{ list: 'optimisation_outlooks', query: { id } }}
      caption={t(TEXTS.OPTIMISATIONS_OUTLOOKS())}
      rows={outlooks}
      keyOf={({ name }) => name}
      empty=""
      columns={[
        {
          id: 'name',
          title: t(TEXTS.OPTIMISATIONS_OUTLOOK()),
          cell: ({ name }) =>
            t(name === 'low' ? TEXTS.OPTIMISATIONS_OUTLOOK_LOW() : TEXTS.OPTIMISATIONS_OUTLOOK_HIGH()),
        },
        {
          id: 'base',
          title: t(TEXTS.OPTIMISATIONS_WITHOUT()),
          isNumber: true,
          cell: ({ base_balance_try }) => <Money value={base_balance_try} />,
        },
        {
          id: 'proposal',
          title: t(TEXTS.OPTIMISATIONS_PROPOSAL()),
          isNumber: true,
          cell: ({ balance_try }) => <Money value={balance_try} />,
        },
      ]}
    />
  )
}
