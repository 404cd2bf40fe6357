import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  INCIDENT_STATUSES,
  INCIDENT_TRANSITIONS,
  type IncidentAction,
  requireTransition,
  statusAfter,
} from './states.ts'

const actions = Object.keys(INCIDENT_TRANSITIONS) as IncidentAction[]

describe('states of an incident', () => {
  it('equal the documented table, transition by transition', () => {
    const doc = readFileSync(new URL('../../../../docs/understand/incidents.md', import.meta.url), 'utf8')
    const rows = doc
      .split('\n')
      .filter((line) => /^\| (active|acknowledged|snoozed|closed) \|/.test(line))
      .map((line) => line.split('|').map((cell) => cell.trim()))
    const header = doc.split('\n').find((line) => line.startsWith('| from |')) ?? ''
    expect(header.split('|').map((cell) => cell.trim())).toEqual(['', 'from', ...actions, ''])
    expect(rows.map(([, status, ...cells]) => [status, ...cells.slice(0, actions.length)])).toEqual(
      INCIDENT_STATUSES.map((status) => [
        status,
        ...actions.map((action) => statusAfter(action, status) ?? '409'),
      ]),
    )
  })

  it.each(INCIDENT_STATUSES.flatMap((status) => actions.map((action) => [status, action] as const)))(
    'reject an undocumented transition: %s, %s',
    (status, action) => {
      const to = statusAfter(action, status)
      if (to) expect(requireTransition(action, status)).toBe(to)
      else expect(() => requireTransition(action, status)).toThrow(`the incident is ${status}: it cannot be `)
    },
  )

  it('allow no transition after closed, and name the reason of a rejection', () => {
    for (const action of actions) expect(statusAfter(action, 'closed')).toBeUndefined()
    expect(() => requireTransition('acknowledge', 'acknowledged')).toThrow(
      'the incident is acknowledged: it cannot be acknowledged',
    )
    expect(requireTransition('snooze', 'snoozed')).toBe('snoozed')
  })
})
