import { beforeAll } from 'vitest'
import { renewTokens } from './client.ts'

/** Before each file of the acceptance tests, which may begin long after the sign-in of `setup.ts`. */
beforeAll(() => renewTokens(), 600_000)
