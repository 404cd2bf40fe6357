import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  requireTransition,
  SESSION_STATUSES,
  SESSION_TRANSITIONS,
  type SessionTransition,
  statusAfter,
} from './states.ts'

const transitions = Object.keys(SESSION_TRANSITIONS) as SessionTransition[]
const cells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

describe('states of a LOTO session', () => {
  it('equal the documented table, transition by transition', () => {
    const lines = readFileSync(
      new URL('../../../../../docs/understand/loto.md', import.meta.url),
      'utf8',
    ).split('\n')
    const header = lines.find((line) => line.startsWith('| from |')) ?? ''
    const rows = lines.filter((line) => SESSION_STATUSES.some((status) => line.startsWith(`| ${status} |`)))
    expect(cells(header)).toEqual(['from', ...transitions])
    expect(rows.map(cells)).toEqual(
      SESSION_STATUSES.map((status) => [
        status,
        ...transitions.map((transition) => statusAfter(transition, status) ?? '409'),
      ]),
    )
  })

  it.each(
    SESSION_STATUSES.flatMap((status) => transitions.map((transition) => [status, transition] as const)),
  )('reject an undocumented transition: %s, %s', (status, transition) => {
    const to = statusAfter(transition, status)
    if (to) expect(requireTransition(transition, status)).toBe(to)
    else
      expect(() => requireTransition(transition, status)).toThrow(`the session is ${status}: it cannot be `)
  })

  it('allow no transition after rejected or released, and name the reason of a rejection', () => {
    for (const transition of transitions) {
      expect(statusAfter(transition, 'rejected')).toBeUndefined()
      expect(statusAfter(transition, 'released')).toBeUndefined()
    }
    expect(() => requireTransition('apply', 'pending')).toThrow(
      'the session is pending: it cannot be applied',
    )
  })
})
