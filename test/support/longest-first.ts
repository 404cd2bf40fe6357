import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take minutes. Workers take files in order, and would wait for one of these that starts last. */
const LONGEST = [
  'console/console-pages.long',
  'netting/history-year.long',
  'service/clock-jump.long',
  'embedded/start.long',
  'service/read-replicas.long',
]

/** The order of vitest, after the files that take longest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONGEST.findIndex((name) => moduleId.includes(`/${name}.`))
      return index < 0 ? LONGEST.length : index
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
