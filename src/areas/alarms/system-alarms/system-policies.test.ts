import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RULES } from '../../../core/netting/eligibility/all-rules.ts'
import { FURTHER_POLICIES, SYSTEM_POLICIES } from './system-policies.ts'

const names = SYSTEM_POLICIES.map(({ name }) => name)

test('system policies are 33: one for each registered rule, 16 of netting, 4 of the market platform', () => {
  const rules = RULES.map(({ code }) => `netting_rule_${code}`)
  const market = ['api_auth_failed', 'fetch_failed', 'portal_not_whitelisted', 'subscription_missing']
  expect(new Set(names).size).toBe(33)
  expect(names.slice(0, 13)).toEqual(rules)
  expect(names.filter((name) => name.startsWith('netting_'))).toHaveLength(29)
  expect(names.slice(29)).toEqual(market.map((name) => `marketop_${name}`))
})

test('operations.md lists exactly the system policies, with severity and type', () => {
  const doc = readFileSync(new URL('../../../../docs/operate/operations.md', import.meta.url), 'utf8')
  const section = doc.split(/^## /m).find((text) => text.startsWith('System alarms')) ?? ''
  const rows = section
    .split('\n')
    .filter((line) => /^\| (netting|marketop|ocpp|tenant)_/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  expect(rows.map(([, name, severity, type]) => [name, severity, type])).toEqual(
    [...SYSTEM_POLICIES, ...FURTHER_POLICIES].map(({ name, severity, alarmType }) => [
      name,
      severity,
      alarmType,
    ]),
  )
})
