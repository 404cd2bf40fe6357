import { makeSealer, type Sealer } from '../../../platform/auth/sealer.ts'
import type { Deps } from '../../../platform/deps.ts'
import { deriveSealerKey } from '../commands/index.ts'

/**
 * Seals responses that show a password: they are stored for their Idempotency-Key, and the database must not
 * show it.
 */
export const responseSealer = ({ secretKey }: Pick<Deps['config'], 'secretKey'>): Sealer =>
  makeSealer(deriveSealerKey(secretKey, 'answers of chargers'))
