import { useText } from '../../../kernel/text.tsx'
import { Tag } from '../../../ui/controls.tsx'
import { StateTag } from '../../../ui/states.tsx'
import type { ScenarioHead } from './data.ts'
import { SCENARIO_STATES } from './marking.tsx'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

type State = Pick<ScenarioHead, 'name' | 'state' | 'is_stale' | 'months_done' | 'months_total'>

/** The state of a scenario; while it is calculated, how much is done. */
export function Progress({ scenario }: { readonly scenario: State }) {
  const t = useText()
  const { name, state, is_stale, months_done: done, months_total: total } = scenario
  return (
    <span className="stack">
      <span className="row">
        <StateTag states={SCENARIO_STATES} value={state as keyof typeof SCENARIO_STATES} />
        {is_stale && <Tag tone="warning">{t(TEXTS.SCENARIOS_STALE())}</Tag>}
      </span>
      {state === 'waiting' && (
        <>
          <progress aria-label={name} value={done} max={Math.max(1, total)} />
          <span role="status">{t(TEXTS.SCENARIOS_PROGRESS({ done, total }))}</span>
        </>
      )}
    </span>
  )
}
