import { expect, test } from 'vitest'
import { makeGroupInput } from '../../../../test/support/netting/eligibility-input.ts'
import { r009 } from './r009.ts'

test('R009 is not_checked without a data source, and does not prevent a valid group', () => {
  expect(r009).toMatchObject({ code: 'R009', severity: 'warning', isBlocking: false })
  expect(r009.check(makeGroupInput())).toMatchObject({ status: 'not_checked', reasonCode: 'NO_DATA_SOURCE' })
})
