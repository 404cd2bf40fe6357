import { Link, useNavigate, useParams } from '@tanstack/react-router'
import type { ResponseOf } from '../../../../../clients/typescript/src/operations.ts'
import { useGet, whileWaiting } from '../../../api/queries.ts'
import { formatInstant, formatMonths } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { OPTIMISATIONS } from '../../../records/optimisation-resources.ts'
import { RecordButtons } from '../../../records/record-buttons.tsx'
import { Notice } from '../../../ui/controls.tsx'
import { DetailList } from '../../../ui/detail-list.tsx'
import { Loaded, Page } from '../../../ui/page.tsx'
import { StateTag } from '../../../ui/states.tsx'
import type { Change } from '../scenarios/change-form.ts'
import { ChangeSummary } from '../scenarios/change-text.tsx'
import { useGroupNames } from '../scenarios/data.ts'
import { SCENARIO_STATES } from '../scenarios/marking.tsx'
import { OptimisationResult } from './result.tsx'
import { OPTIMISATION_PAGE_TEXTS as TEXTS } from './texts.ts'

const ONE = '/api/mahsuplasma/optimisations/{id}'
export type Optimisation = ResponseOf<'GET', typeof ONE>

/** An optimisation: its progress, its proposal with the gap, and its set points. */
export function OptimisationPage() {
  const t = useText()
  const { optimisationId } = useParams({ from: '/signed-in/netting/optimisations/$optimisationId' })
  const navigate = useNavigate()
  const query = useGet(ONE, { path: { id: optimisationId } }, { refetchInterval: whileWaiting })
  return (
    <Page
      title={query.data?.name ?? t(TEXTS.OPTIMISATIONS())}
      actions={
        <Link className="button" to="/netting/optimisations">
          {t(TEXTS.OPTIMISATIONS())}
        </Link>
      }
    >
      <Loaded query={query}>
        {(optimisation) => (
          <>
            <Head optimisation={optimisation} />
            <RecordButtons
              resource={OPTIMISATIONS}
              record={{ ...optimisation }}
              onDeleted={() => void navigate({ to: '/netting/optimisations' })}
            />
            {optimisation.result && (
              <OptimisationResult optimisation={optimisation} result={optimisation.result} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Head({ optimisation }: { readonly optimisation: Optimisation }) {
  const t = useText()
  const { language } = useLanguage()
  const groupName = useGroupNames(optimisation.group_ids)
  const { name, state, steps_done: done, steps_total: total, from, to, error, result } = optimisation
  return (
    <section className="card">
      <StateTag states={SCENARIO_STATES} value={state as keyof typeof SCENARIO_STATES} />
      {state === 'waiting' && (
        <>
          <progress aria-label={name} value={done} max={total} />
          <span role="status">{t(TEXTS.OPTIMISATIONS_WAITING({ done, total }))}</span>
        </>
      )}
      {optimisation.is_stale && <Notice tone="warning">{t(TEXTS.OPTIMISATIONS_STALE())}</Notice>}
      {error !== null && <Notice tone="danger">{error}</Notice>}
      <DetailList
        entries={[
          [t(TEXTS.OPTIMISATIONS_GROUPS()), optimisation.group_ids.map((id) => groupName(id)).join(', ')],
          [t(TEXTS.OPTIMISATIONS_MONTHS()), formatMonths(from, to, language)],
          [t(TEXTS.OPTIMISATIONS_CREATED()), formatInstant(optimisation.created_at, 'dateTime', language)],
        ]}
      />
      {result && result.changes.length > 0 && (
        <>
          <h2>{t(TEXTS.OPTIMISATIONS_CHANGES())}</h2>
          <ChangeSummary changes={result.changes.map(shortChange)} failedAt={null} />
        </>
      )}
    </section>
  )
}

/** A schedule is shown as set points. */
const shortChange = ({
  schedule_kwh: _,
  ...change
}: NonNullable<Optimisation['result']>['changes'][number]) => change as unknown as Change
