import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { capacityDocument } from '../../tools/capacity-document.ts'

it('docs/operate/capacity.md is the computation of tools/capacity-document.ts (npm run capacity)', async () => {
  expect(await readFile('docs/operate/capacity.md', 'utf8')).toBe(capacityDocument())
})
