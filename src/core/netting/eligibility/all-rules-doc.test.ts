import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RULES } from './all-rules.ts'

const doc = readFileSync(
  new URL('../../../../docs/understand/netting/eligibility.md', import.meta.url),
  'utf8',
)
const section = (title: string): string => doc.split(/^## /m).find((text) => text.startsWith(title)) ?? ''
const rows = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => /^\| R\d\w+ \|/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))

test('the documentation page on eligibility lists the registered rules, with their severity and class', () => {
  const documented = rows(section('The rules')).map(([, code, , severity, className]) => [
    code,
    severity,
    className,
  ])
  expect(RULES).toHaveLength(13)
  expect(documented).toEqual(
    RULES.map(({ code, severity, isBlocking }) => [code, severity, isBlocking ? 'blocking' : 'informing']),
  )
})

test('the documentation page names only outcomes that a rule has', () => {
  const codes = rows(section('What a result can be')).map(([, code]) => code)
  expect(codes).toHaveLength(11)
  expect(RULES.map(({ code }) => code)).toEqual(expect.arrayContaining(codes))
})
