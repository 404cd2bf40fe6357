/** What is done with several incidents at once, and what became of it. */
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useClient } from '../../api/session.tsx'
import { useText } from '../../kernel/text.tsx'
import { Notice } from '../../ui/controls.tsx'
import { useErrorText } from '../../ui/page.tsx'
import type { Incident } from './alarms-page.tsx'
import { ALARM_TEXTS } from './texts.ts'

export type TriageAction = 'acknowledge' | 'snooze' | 'close'

/** Requests at the same time. */
const AT_ONCE = 4

const DONE = {
  acknowledge: ALARM_TEXTS.ALARMS_ACKNOWLEDGED_COUNT,
  snooze: ALARM_TEXTS.ALARMS_SNOOZED_COUNT,
  close: ALARM_TEXTS.ALARMS_CLOSED_COUNT,
} as const

interface Failure {
  readonly incident: Incident
  readonly error: unknown
}
interface Outcome {
  readonly action: TriageAction
  readonly count: number
  readonly failures: readonly Failure[]
}

export interface TriageOptions {
  readonly note: string
  readonly snoozeMinutes: number
}

/**
 * Applies an action to incidents, a few at the same time. One that fails does not stop the others: `notice` says how
 * many it was, and names each failure. `onDone` receives those that were changed. Actions may overlap, so that no key
 * is lost while a request is under way; an incident that is being changed is left out.
 */
export function useTriage(options: TriageOptions, onDone: (changed: readonly Incident[]) => void) {
  const apply = useApply(options)
  const queries = useQueryClient()
  const [outcome, setOutcome] = useState<Outcome>()
  const [running, setRunning] = useState(0)
  const busy = useRef(new Set<string>())
  const run = async (action: TriageAction, wanted: readonly Incident[]) => {
    const incidents = wanted.filter(({ id }) => !busy.current.has(id))
    if (incidents.length === 0) return
    for (const { id } of incidents) busy.current.add(id)
    setRunning((count) => count + 1)
    const changed: Incident[] = []
    const failures: Failure[] = []
    const waiting = [...incidents]
    const work = async () => {
      for (let incident = waiting.shift(); incident !== undefined; incident = waiting.shift()) {
        try {
          await apply(action, incident.id)
          changed.push(incident)
        } catch (error) {
          failures.push({ incident, error })
        }
        busy.current.delete(incident.id)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    setOutcome({ action, count: changed.length, failures })
    setRunning((count) => count - 1)
    onDone(changed)
    await queries.invalidateQueries({ queryKey: ['/api/alarms/incidents'] })
  }
  return { run, isRunning: running > 0, notice: outcome && <TriageOutcome outcome={outcome} /> }
}

/** The request of an action on one incident. */
function useApply(options: TriageOptions) {
  const { api } = useClient()
  const note = options.note.trim() === '' ? {} : { note: options.note.trim() }
  return (action: TriageAction, id: string) => {
    const path = { id }
    if (action === 'acknowledge') return api.post('/api/alarms/incidents/{id}/ack', { path, body: note })
    if (action === 'close') return api.post('/api/alarms/incidents/{id}/close', { path, body: note })
    const body = { ...note, minutes: options.snoozeMinutes }
    return api.post('/api/alarms/incidents/{id}/snooze', { path, body })
  }
}

function TriageOutcome({ outcome: { action, count, failures } }: { readonly outcome: Outcome }) {
  const t = useText()
  const errorText = useErrorText()
  return (
    <Notice tone={failures.length === 0 ? 'success' : 'danger'}>
      {(count > 0 || failures.length === 0) && <p>{t(DONE[action]({ count }))}</p>}
      {failures.length > 0 && (
        <>
          <p>{t(ALARM_TEXTS.ALARMS_FAILED_COUNT({ count: failures.length }))}</p>
          <ul>
            {failures.map(({ incident, error }) => (
              <li key={incident.id}>
                {incident.message}: {errorText(error)}
              </li>
            ))}
          </ul>
        </>
      )}
    </Notice>
  )
}
