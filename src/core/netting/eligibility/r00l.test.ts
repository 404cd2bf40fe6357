import { expect, test } from 'vitest'
import { makeGroupInput } from '../../../../test/support/netting/eligibility-input.ts'
import { r00l } from './r00l.ts'

test('R00L is not_checked without a data source, and does not prevent a valid group', () => {
  expect(r00l).toMatchObject({ code: 'R00L', severity: 'info', isBlocking: false })
  expect(r00l.check(makeGroupInput())).toMatchObject({ status: 'not_checked', reasonCode: 'NO_DATA_SOURCE' })
})
