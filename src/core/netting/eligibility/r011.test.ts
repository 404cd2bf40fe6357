import { expect, test } from 'vitest'
import { makeGroupInput } from '../../../../test/support/netting/eligibility-input.ts'
import { r011 } from './r011.ts'

test('R011 is not_checked without a data source, and does not prevent a valid group', () => {
  expect(r011).toMatchObject({ code: 'R011', severity: 'warning', isBlocking: false })
  expect(r011.check(makeGroupInput())).toMatchObject({ status: 'not_checked', reasonCode: 'NO_DATA_SOURCE' })
})
