import type { App } from '../../platform/http/app-type.ts'
import { answerErrorsAs } from '../../platform/http/errors.ts'

export function tariffRoutes(app: App): void {
  answerErrorsAs(app, 'nested')
}
