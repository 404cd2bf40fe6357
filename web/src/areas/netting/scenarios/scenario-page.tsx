import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCan } from '../../../api/session.tsx'
import { formatInstant, formatMonths } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Notice } from '../../../ui/controls.tsx'
import { DetailList } from '../../../ui/detail-list.tsx'
import { Loaded, Page } from '../../../ui/page.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { UI_TEXTS } from '../../../ui/texts.ts'
import { Money } from '../../../ui/value.tsx'
import type { Change } from './change-form.ts'
import { ChangeSummary } from './change-text.tsx'
import { type Scenario, useGroupNames, useScenario } from './data.ts'
import { ScenarioFrame } from './marking.tsx'
import { PartView } from './part-view.tsx'
import { Progress } from './progress.tsx'
import { ScenarioActions } from './scenario-actions.tsx'
import { Summary } from './summary.tsx'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

/** A scenario: its progress, what it changes, and its result beside the base. */
export function ScenarioPage() {
  const t = useText()
  const can = useCan()
  const { scenarioId } = useParams({ from: '/signed-in/netting/scenarios/$scenarioId' })
  const query = useScenario(scenarioId)
  return (
    <Page
      title={query.data?.name ?? t(TEXTS.SCENARIOS_ONE())}
      actions={
        <>
          <Link className="button" to="/netting/scenarios">
            {t(TEXTS.SCENARIOS())}
          </Link>
          {can('manage:netting') && (
            <Link className="button" to="/netting/scenarios/new" search={{ copy: scenarioId }}>
              {t(TEXTS.SCENARIOS_COPY())}
            </Link>
          )}
        </>
      }
    >
      <ScenarioFrame>
        <Loaded query={query}>
          {(scenario) => (
            <>
              <Head scenario={scenario} />
              <ScenarioActions scenario={scenario} />
              {scenario.totals && <Result scenario={scenario} totals={scenario.totals} />}
            </>
          )}
        </Loaded>
      </ScenarioFrame>
    </Page>
  )
}

function Head({ scenario }: { readonly scenario: Scenario }) {
  const t = useText()
  const { language } = useLanguage()
  const groupName = useGroupNames(scenario.group_ids)
  const { from, to, cost_try, created_at, finished_at, input_hash, error_change, error } = scenario
  return (
    <section className="card">
      <Progress scenario={scenario} />
      {scenario.state === 'waiting' && <p className="muted">{t(TEXTS.SCENARIOS_LEAVE())}</p>}
      {scenario.is_stale && <Notice tone="warning">{t(TEXTS.SCENARIOS_STALE_HELP())}</Notice>}
      {error !== null && (
        <Notice tone="danger">
          {error_change === null
            ? error
            : t(TEXTS.SCENARIOS_FAULTS_OF({ number: error_change + 1, text: error }))}
        </Notice>
      )}
      <DetailList
        entries={[
          [
            t(TEXTS.SCENARIOS_GROUPS()),
            <span key="groups" className="row">
              {scenario.group_ids.map((groupId) => (
                <Link
                  key={groupId}
                  to="/netting/groups/$groupId"
                  params={{ groupId }}
                  search={{ month: from.slice(0, 7) }}
                >
                  {groupName(groupId)}
                </Link>
              ))}
            </span>,
          ],
          [t(TEXTS.SCENARIOS_MONTHS()), formatMonths(from, to, language)],
          [t(TEXTS.SCENARIOS_COST()), cost_try === null ? null : <Money key="cost" value={cost_try} />],
          [t(TEXTS.SCENARIOS_CREATED()), formatInstant(created_at, 'dateTime', language)],
          [
            t(TEXTS.SCENARIOS_FINISHED()),
            finished_at === null ? null : formatInstant(finished_at, 'dateTime', language),
          ],
          [t(TEXTS.SCENARIOS_HASH()), input_hash === null ? null : <code key="hash">{input_hash}</code>],
        ]}
      />
      <h2>{t(TEXTS.SCENARIOS_CHANGES())}</h2>
      <ChangeSummary changes={scenario.changes as unknown as readonly Change[]} failedAt={error_change} />
    </section>
  )
}

interface ResultProps {
  readonly scenario: Scenario
  readonly totals: NonNullable<Scenario['totals']>
}

function Result({ scenario, totals }: ResultProps) {
  const t = useText()
  const { view = 'summary' } = useSearch({ from: '/signed-in/netting/scenarios/$scenarioId' })
  const navigate = useNavigate({ from: '/netting/scenarios/$scenarioId' })
  return (
    <Tabs
      label={t(UI_TEXTS.UI_PARTS())}
      selected={view}
      onSelect={(next) => void navigate({ search: { view: next }, replace: true, resetScroll: false })}
      tabs={[
        { name: 'summary', title: t(TEXTS.SCENARIOS_SUMMARY()) },
        { name: 'months', title: t(TEXTS.SCENARIOS_BY_MONTH()) },
        { name: 'members', title: t(TEXTS.SCENARIOS_BY_MEMBER()) },
        { name: 'hours', title: t(TEXTS.SCENARIOS_BY_HOUR()) },
      ]}
    >
      {view === 'summary' ? (
        <Summary scenario={scenario} totals={totals} />
      ) : (
        <PartView key={view} scenario={scenario} part={view} />
      )}
    </Tabs>
  )
}
