import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../kernel/errors.ts'
import {
  nextState,
  RESERVATION_STATES,
  RESERVATION_TRANSITIONS,
  type ReservationTransition,
  requireTransition,
} from './states.ts'

const TRANSITIONS = Object.keys(RESERVATION_TRANSITIONS) as ReservationTransition[]

/** The same table, written by hand: state, transition, new state. */
const ALLOWED = [
  'pending accept active',
  'pending reject rejected',
  'pending use used',
  'active use used',
  'expired use used',
  'pending expire expired',
  'active expire expired',
  'pending cancel cancelled',
  'active cancel cancelled',
]

describe('states of a reservation', () => {
  it('allow exactly the documented transitions', () => {
    const allowed = RESERVATION_STATES.flatMap((state) =>
      TRANSITIONS.flatMap((transition) => {
        const to = nextState(transition, state)
        return to ? [`${state} ${transition} ${to}`] : []
      }),
    )
    expect(allowed.toSorted()).toEqual(ALLOWED.toSorted())
  })

  it.each(RESERVATION_STATES)('reject every other transition of %s', (state) => {
    for (const transition of TRANSITIONS) {
      const isAllowed = ALLOWED.some((line) => line.startsWith(`${state} ${transition} `))
      if (isAllowed) expect(() => requireTransition(transition, state)).not.toThrow()
      else expect(() => requireTransition(transition, state)).toThrow(AppError)
    }
  })

  it('match docs/understand/smart-charging.md', async () => {
    const text = await readFile('docs/understand/smart-charging.md', 'utf8')
    const part = text.split(/^##+ /m).find((chapter) => chapter.startsWith('States of a reservation')) ?? ''
    const rows = part
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim().replaceAll('`', '')),
      )
    expect(rows).toEqual(
      Object.entries(RESERVATION_TRANSITIONS).map(([transition, { from, to }]) => [
        transition,
        from.join(', '),
        to,
      ]),
    )
  })
})
