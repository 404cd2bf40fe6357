import { Type } from 'typebox'
import { found } from '../../../kernel/errors.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { sendList } from '../../../platform/http/page.ts'
import { ImportedMonth, ImportedMonthQuery } from './import-month-schema.ts'
import { hasImport, listMonths } from './import-month-store.ts'

export function importMonthRoutes(app: App): void {
  app.get(
    '/imports/:id/months',
    {
      ...needs('read:netting'),
      schema: {
        tags: ['official readings'],
        operationId: 'listOsosImportMonths',
        summary: 'List the months of netting groups whose hours an import stored, newest first',
        description: 'An hour whose value was the same as the stored one is not counted.',
        params: IdParams,
        querystring: ImportedMonthQuery,
        response: { 200: Type.Array(ImportedMonth) },
      },
    },
    async (request, reply) => {
      const db = request.tenantDb()
      const { id } = request.params
      found('import', (await hasImport(db, id)) || undefined)
      return sendList(reply, await listMonths(db, id, request.query))
    },
  )
}
