import type { App } from '../../platform/http/app-type.ts'
import { answerErrorsAs } from '../../platform/http/errors.ts'

/** Everything under /api/mahsuplasma, one area a line. */
export function nettingRoutes(app: App): void {
  answerErrorsAs(app, 'nested')
}
