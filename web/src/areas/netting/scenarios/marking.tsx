import type { ReactNode } from 'react'
import { useText } from '../../../kernel/text.tsx'
import { Tag } from '../../../ui/controls.tsx'
import type { States } from '../../../ui/states.tsx'
import { SCENARIO_PAGE_TEXTS as TEXTS } from './texts.ts'

/** The frame around everything that is not real: a dashed border and a sentence that says so. */
export function ScenarioFrame({ children }: { readonly children: ReactNode }) {
  const t = useText()
  return (
    <div className="scenario-frame stack">
      <p className="scenario-mark">
        <Tag tone="warning">{t(TEXTS.SCENARIOS_ONE())}</Tag> {t(TEXTS.SCENARIOS_MARK())}
      </p>
      {children}
    </div>
  )
}

export const SCENARIO_STATES: States<'waiting' | 'done' | 'failed' | 'cancelled'> = {
  waiting: { text: TEXTS.SCENARIOS_WAITING },
  done: { text: TEXTS.SCENARIOS_DONE, tone: 'success' },
  failed: { text: TEXTS.SCENARIOS_FAILED, tone: 'danger' },
  cancelled: { text: TEXTS.SCENARIOS_CANCELLED },
}
