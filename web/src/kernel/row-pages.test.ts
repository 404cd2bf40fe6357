import { expect, it } from 'vitest'
import { pagesOf } from './row-pages.ts'

it.each([
  [{ from: 0, to: 0 }, [0]],
  [{ from: 0, to: 200 }, [0]],
  [{ from: 0, to: 201 }, [0, 1]],
  [{ from: 199, to: 201 }, [0, 1]],
  [{ from: 9_960, to: 10_000 }, [49]],
])('the rows %j are in the pages %j', (range, pages) => {
  expect(pagesOf(range)).toEqual(pages)
})
