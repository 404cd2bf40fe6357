import { found } from '../../../kernel/errors.ts'
import { forAnyUser, forSuperuser } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { getResource } from '../../../platform/http/etag.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { findTenantKey, putOverrides, readUse } from '../../access/quotas/index.ts'
import { QuotaReport, SetQuotas } from './schema.ts'

const tags = ['tenants']

/** The quotas of the caller's tenant. */
export function quotaRoutes(app: App): void {
  app.get(
    '/',
    {
      ...forAnyUser,
      schema: {
        tags,
        operationId: 'getQuotas',
        summary: 'Get the quotas of the tenant and their use',
        description: 'Daily quotas start again at midnight, Turkey-local time.',
        response: { 200: QuotaReport },
      },
    },
    (request) => readUse(app.deps, request.tenantDb()),
  )
}

/** The quotas of any tenant; mounted at /api/v1/admin/tenants. */
export function tenantQuotaRoutes(app: App): void {
  const { deps } = app

  getResource(
    app,
    '/:id/quotas',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'getTenantQuotas',
        summary: 'Get the quotas of a tenant and their use',
        params: IdParams,
        response: { 200: QuotaReport },
      },
    },
    async (request) => {
      const system = request.systemDb()
      const tenantId = found('tenant', await findTenantKey(system, request.params.id))
      return readUse(deps, { db: system.db, tenantId })
    },
  )

  app.put(
    '/:id/quotas',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'setTenantQuotas',
        summary: 'Set the quotas of a tenant',
        description:
          'Replaces all quotas of the tenant. An omitted one has the default of the settings (QUOTA_*). A quota of ' +
          'samples applies within ten seconds.',
        params: IdParams,
        body: SetQuotas,
        response: { 200: QuotaReport },
      },
    },
    (request) =>
      request.systemTx(async (tx) => {
        const tenantId = found('tenant', await findTenantKey(tx, request.params.id))
        const tenant = { db: tx.db, tenantId }
        const at = new Date(deps.clock.now())
        await putOverrides(tenant, { quotas: request.body, updatedBy: request.principal.id, at })
        return readUse(deps, tenant)
      }),
  )
}
