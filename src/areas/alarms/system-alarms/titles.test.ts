import { expect, it } from 'vitest'
import { FURTHER_POLICIES, SYSTEM_POLICIES } from './system-policies.ts'
import { titleIn } from './titles.ts'

it('every system policy has a title in both languages, and policies of users keep their name', () => {
  for (const { name } of [...SYSTEM_POLICIES, ...FURTHER_POLICIES]) {
    const [tr, en] = [titleIn('tr', name), titleIn('en', name)]
    expect([tr, en]).not.toContain(name)
    expect(tr).not.toBe(en)
  }
  expect(titleIn('tr', 'netting_rule_R008')).toBe('Mahsuplaşma kuralı R008')
  expect(titleIn('tr', 'Trafo sıcaklığı')).toBe('Trafo sıcaklığı')
})
