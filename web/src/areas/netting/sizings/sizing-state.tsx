import { useText } from '../../../kernel/text.tsx'
import { Tag } from '../../../ui/controls.tsx'
import { StateTag } from '../../../ui/states.tsx'
import { SCENARIO_STATES } from '../scenarios/marking.tsx'
import { SCENARIO_PAGE_TEXTS } from '../scenarios/texts.ts'
import type { SizingHead } from './data.ts'
import { SIZING_PAGE_TEXTS as TEXTS } from './texts.ts'

type State = Pick<SizingHead, 'name' | 'state' | 'is_stale' | 'points_done' | 'points_total'>

/** The state of a sizing; while it is calculated, how much is done. */
export function SizingState({ sizing }: { readonly sizing: State }) {
  const t = useText()
  const { name, state, is_stale, points_done: done, points_total: total } = sizing
  return (
    <span className="stack">
      <span className="row">
        <StateTag states={SCENARIO_STATES} value={state as keyof typeof SCENARIO_STATES} />
        {is_stale && <Tag tone="warning">{t(SCENARIO_PAGE_TEXTS.SCENARIOS_STALE())}</Tag>}
      </span>
      {state === 'waiting' && (
        <>
          <progress aria-label={name} value={done} max={Math.max(1, total)} />
          <span role="status">{t(TEXTS.SIZINGS_PROGRESS({ done, total }))}</span>
        </>
      )}
    </span>
  )
}
