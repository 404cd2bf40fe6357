import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sumOf } from '../../../kernel/decimal.ts'
import type { Movement } from '../accounts.ts'
import { statementOf } from './statement.ts'

let count = 0
function movement(type: Movement['movement_type'], amount: string, run: string | null): Movement {
  count += 1
  return {
    id: `movement ${count}`,
    account_id: 'account',
    movement_type: type,
    amount_kwh: amount,
    reason: null,
    contracted_power_confirmed: null,
    calculation_run_id: run,
    created_by: null,
    created_at: '2026-05-01T00:00:00Z',
  }
}

describe('the statement of an account', () => {
  it('has the balance after each movement, and the movements of a correction as one entry with its sum', () => {
    const movements = [
      movement('correction_reapply', '-35.000', 'second'),
      movement('correction_reversal', '30.000', 'second'),
      movement('mahsuplasan_consumption', '-30.000', 'first'),
      movement('manual_adjustment', '5.000', null),
      movement('initial', '0.000', null),
    ]
    const entries = statementOf(movements, '70.000')
    expect(entries.map(({ amount, balance, isCorrection }) => [amount, balance, isCorrection])).toEqual([
      ['-5.000', '70.000', true],
      ['-30.000', '75.000', false],
      ['5.000', '105.000', false],
      ['0.000', '100.000', false],
    ])
    expect(entries[0]?.lines.map(({ balance }) => balance)).toEqual(['70.000', '105.000'])
  })

  it('keeps the movements of two accounts of one run without a reversal apart', () => {
    const movements = [
      movement('bedelli_ihtiyac_fazlasi', '-3.000', 'run'),
      movement('mahsuplasan_consumption', '-4.000', 'run'),
    ]
    expect(statementOf(movements, '93.000').map(({ balance }) => balance)).toEqual(['93.000', '96.000'])
  })

  it('goes from the remaining limit back to the limit of the beginning, exactly', () => {
    const kwh = fc
      .bigInt(-(10n ** 15n), 10n ** 15n)
      .map((wh) => `${wh / 1000n}.${String(wh < 0n ? -wh % 1000n : wh % 1000n).padStart(3, '0')}`)
    fc.assert(
      fc.property(fc.array(kwh, { minLength: 1, maxLength: 20 }), (amounts) => {
        const movements = amounts.map((amount, index) =>
          movement('manual_adjustment', amount, `run ${index}`),
        )
        const entries = statementOf(movements, sumOf(['1000.000', ...amounts]))
        const last = entries.at(-1)
        expect(
          sumOf([
            last?.balance ?? '',
            `${last?.amount.startsWith('-') ? '' : '-'}${last?.amount.replace('-', '')}`,
          ]),
        ).toBe('1000.000')
      }),
    )
  })
})
