import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { NettingSettings, UpdateNettingSettings } from './schema.ts'
import { readSettings, updateSettings } from './store.ts'

const tags = ['netting settings']

export function nettingSettingsRoutes(app: App): void {
  app.get(
    '/settings',
    {
      ...needs('read:netting'),
      schema: {
        tags,
        operationId: 'getNettingSettings',
        summary: 'Get the netting settings of the tenant',
        response: { 200: NettingSettings },
      },
    },
    (request) => readSettings(request.tenantDb()),
  )

  app.patch(
    '/settings',
    {
      ...needs('manage:netting'),
      schema: {
        tags,
        operationId: 'updateNettingSettings',
        summary: 'Change the netting settings of the tenant',
        description:
          'strict_storage_export is an input of every later calculation, also of past periods. The schedule ' +
          'calculates the current month again, and the previous one until its settlement is final; request a ' +
          'correction of older periods.',
        body: UpdateNettingSettings,
        response: { 200: NettingSettings },
      },
    },
    (request) => {
      const { body, principal } = request
      const change = { body, by: principal.id, at: app.deps.clock.now() }
      return request.tenantTx((tx) => updateSettings(tx, change))
    },
  )
}
