import { Gauge } from 'prom-client'
import { Type } from 'typebox'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../kernel/limits.ts'
import { ACCESS_TOKEN_TTL_S } from '../../../platform/auth/limits.ts'
import { schemaProblem, storageProblem } from '../../../platform/db/check.ts'
import { dataFolderNotes } from '../../../platform/files/data-folder.ts'
import { forEveryone, forInternalNetworks } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { NotReady } from '../../../platform/observability/readiness.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import { packageVersion } from '../../../platform/settings/version.ts'
import { verifiesSignups } from '../tenants/index.ts'
import { Health, PublicConfig, ReadinessResponse } from './schema.ts'

const tags = ['system']

function showRoles({ config, metrics }: Pick<Deps, 'config' | 'metrics'>): void {
  const processRole = new Gauge({
    name: 'netsaat_process_role',
    help: 'The roles of this process: 1 for each.',
    labelNames: ['role'] as const,
    registers: [metrics.registry],
  })
  for (const role of config.roles) processRole.set({ role }, 1)
}

/** Health, readiness, public configuration and metrics. None of them needs a login. */
export function systemRoutes(app: App): void {
  const { config, database, metrics, readiness } = app.deps

  readiness.check('database', async () => {
    const problem = (await storageProblem(database)) ?? (await schemaProblem(database))
    if (problem) throw new NotReady(problem)
  })
  readiness.note(() => dataFolderNotes(config))
  showRoles(app.deps)

  app.get(
    '/health',
    {
      ...forEveryone,
      schema: {
        tags,
        operationId: 'getHealth',
        summary: 'Check whether the process responds',
        response: { 200: Health },
      },
    },
    () => ({ status: 'ok' as const }),
  )

  app.get(
    '/readiness',
    {
      ...forEveryone,
      schema: {
        tags,
        operationId: 'getReadiness',
        summary: 'Check whether all dependencies of the service are available',
        response: { 200: ReadinessResponse, 503: ReadinessResponse },
      },
    },
    async (request, reply) => {
      const report = await readiness.runChecks((name, error) =>
        request.log.warn({ err: error, dependency: name }, 'a dependency does not serve'),
      )
      return reply.code(report.status === 'ready' ? 200 : 503).send({
        ...report,
        roles: [...config.roles],
        checks: { ...report.checks },
        notes: [...report.notes],
        jobs: [...report.jobs],
      })
    },
  )

  app.get(
    '/api/config/public',
    {
      ...forEveryone,
      schema: {
        tags,
        operationId: 'getPublicConfig',
        summary: 'Get the public settings that a front end needs before login',
        response: { 200: PublicConfig },
      },
    },
    () => ({
      name: 'Netsaat',
      version: packageVersion(),
      tenant_signup_enabled: config.tenantSignupEnabled,
      signup_verification_required: verifiesSignups(config),
      market_prices_enabled: config.marketopEnabled,
      password_policy: {
        min_length: PASSWORD_MIN_LENGTH,
        max_length: PASSWORD_MAX_LENGTH,
        requires_letter: true,
        requires_digit: true,
      },
      access_token_ttl_seconds: ACCESS_TOKEN_TTL_S,
      time_zone: 'Europe/Istanbul',
      currency: 'TRY',
    }),
  )

  app.get(
    '/metrics',
    {
      ...forInternalNetworks,
      schema: {
        tags,
        operationId: 'getMetrics',
        summary: 'Metrics of the service for Prometheus; only for INTERNAL_ALLOWED_NETWORKS',
        produces: ['text/plain'],
        response: { 200: Type.String() },
      },
    },
    async (_request, reply) =>
      reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}
