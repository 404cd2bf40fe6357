import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  CLAIM_STATUSES,
  CLAIM_TRANSITIONS,
  type ClaimTransition,
  claimStatus,
  nextClaimStatus,
} from './claim-states.ts'

const TRANSITIONS = Object.keys(CLAIM_TRANSITIONS) as ClaimTransition[]

/** Repeated here by hand, independent of the code. */
const ALLOWED = ['pending redeem claimed', 'pending expire expired']

describe('states of a claim', () => {
  it.each(CLAIM_STATUSES.flatMap((status) => TRANSITIONS.map((transition) => [status, transition] as const)))(
    '%s: %s',
    (status, transition) => {
      const to = ALLOWED.find((line) => line.startsWith(`${status} ${transition} `))?.split(' ')[2]
      expect(nextClaimStatus(transition, status)).toBe(to)
    },
  )

  it('follow from its redemption and the time', () => {
    const [before, at, after] = [new Date(1), new Date(2), new Date(3)]
    expect(claimStatus({ claimed_at: null, expires_at: at }, before)).toBe('pending')
    expect(claimStatus({ claimed_at: null, expires_at: at }, at)).toBe('expired')
    expect(claimStatus({ claimed_at: before, expires_at: at }, after)).toBe('claimed')
  })

  it('match docs/integrate/dialects.md', () => {
    const page = readFileSync(new URL('../../../../docs/integrate/dialects.md', import.meta.url), 'utf8')
    const rows = page.split('\n').filter((line) => /^\| `(redeem|expire)` \|/.test(line))
    const cells = rows.map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
    expect(cells).toEqual(
      Object.entries(CLAIM_TRANSITIONS).map(([transition, { by, from, to }]) => [
        transition,
        by,
        from.join(', '),
        to,
      ]),
    )
  })
})
