import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../kernel/errors.ts'
import { GROUP_STATUSES, type GroupStatus, nextStatus } from './status.ts'

const statusOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error instanceof AppError ? error.status : error
  }
}

describe('nextStatus', () => {
  it('allows one step forward, inactive and no change, and nothing else', () => {
    const allowed: Record<GroupStatus, GroupStatus[]> = {
      customer_defined: ['customer_defined', 'ek1_submitted', 'inactive'],
      ek1_submitted: ['ek1_submitted', 'grid_operator_confirmed', 'inactive'],
      grid_operator_confirmed: ['grid_operator_confirmed', 'lum_reported', 'inactive'],
      lum_reported: ['lum_reported', 'inactive'],
      inactive: ['inactive'],
    }
    for (const from of GROUP_STATUSES) {
      for (const to of GROUP_STATUSES) {
        const expected = allowed[from].includes(to) ? to : 409
        expect([from, to, statusOf(() => nextStatus(from, { group_status: to }))]).toEqual([
          from,
          to,
          expected,
        ])
      }
    }
  })

  it.each<[GroupStatus, Parameters<typeof nextStatus>[1], GroupStatus | number]>([
    ['lum_reported', {}, 'lum_reported'],
    ['lum_reported', { is_active: true }, 'lum_reported'],
    ['lum_reported', { is_active: false }, 'inactive'],
    ['lum_reported', { is_active: false, group_status: 'lum_reported' }, 'inactive'],
    ['lum_reported', { is_active: true, group_status: 'inactive' }, 'inactive'],
    ['inactive', { is_active: false }, 'inactive'],
    ['inactive', { is_active: true }, 'customer_defined'],
    ['inactive', { is_active: true, group_status: 'inactive' }, 'customer_defined'],
    ['inactive', { is_active: true, group_status: 'customer_defined' }, 'customer_defined'],
    ['inactive', { is_active: true, group_status: 'lum_reported' }, 422],
    ['customer_defined', { is_active: false, group_status: 'ek1_submitted' }, 422],
  ])('from %s with %j: %s', (from, wanted, expected) => {
    expect(statusOf(() => nextStatus(from, wanted))).toBe(expected)
  })
})
