import { expect, it } from 'vitest'
import { languageOf } from '../../../../platform/pdf/language.ts'
import { type RecordContent, signersOf } from './content.ts'
import { recordLabels } from './labels.ts'

it('LOTO record has a signature for each owner of a lock, also for two of the same name', () => {
  const lock = (owner_id: string, owner_name: string) => ({ owner_id, owner_name })
  const locks = [lock('a', 'Ali Kaya'), lock('b', 'Ali Kaya'), lock('a', 'Ali Kaya'), lock('c', 'Ece Su')]
  const content = { session: { status: 'applied', locks }, events: [], isComplete: true }
  const options = { labels: recordLabels('en'), language: languageOf('en') }
  const workers = signersOf(options, content as unknown as RecordContent).filter(
    ({ title }) => title === 'Worker',
  )
  expect(workers.map(({ name }) => name)).toEqual(['Ali Kaya', 'Ali Kaya', 'Ece Su'])
})
