import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkMove, INCIDENT_MOVES, INCIDENT_STATUSES, type IncidentMove, statusAfter } from './states.ts'

const moves = Object.keys(INCIDENT_MOVES) as IncidentMove[]

describe('the states of an incident', () => {
  it('are those of the page, move by move', () => {
    const doc = readFileSync(new URL('../../../../docs/incidents.md', import.meta.url), 'utf8')
    const rows = doc
      .split('\n')
      .filter((line) => /^\| (active|acknowledged|snoozed|closed) \|/.test(line))
      .map((line) => line.split('|').map((cell) => cell.trim()))
    const header = doc.split('\n').find((line) => line.startsWith('| from |')) ?? ''
    expect(header.split('|').map((cell) => cell.trim())).toEqual(['', 'from', ...moves, ''])
    expect(rows.map(([, status, ...cells]) => [status, ...cells.slice(0, moves.length)])).toEqual(
      INCIDENT_STATUSES.map((status) => [status, ...moves.map((move) => statusAfter(move, status) ?? '409')]),
    )
  })

  it.each(INCIDENT_STATUSES.flatMap((status) => moves.map((move) => [status, move] as const)))(
    'refuse what they do not allow: %s, %s',
    (status, move) => {
      const to = statusAfter(move, status)
      if (to) expect(checkMove(move, status)).toBe(to)
      else expect(() => checkMove(move, status)).toThrow(`the incident is ${status}: it cannot be `)
    },
  )

  it('allow nothing once it is closed, and say why a move is refused', () => {
    for (const move of moves) expect(statusAfter(move, 'closed')).toBeUndefined()
    expect(() => checkMove('acknowledge', 'acknowledged')).toThrow(
      'the incident is acknowledged: it cannot be acknowledged',
    )
    expect(checkMove('snooze', 'snoozed')).toBe('snoozed')
  })
})
