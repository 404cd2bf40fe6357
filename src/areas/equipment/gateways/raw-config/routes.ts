import { withWarningTexts } from '../../../../kernel/warnings.ts'
import { needs } from '../../../../platform/http/access.ts'
import type { App } from '../../../../platform/http/app-type.ts'
import { getResource } from '../../../../platform/http/etag.ts'
import { IdParams } from '../../../../platform/http/fields.ts'
import { languageOf } from '../../../../platform/http/language.ts'
import { Page } from '../../../../platform/http/page.ts'
import {
  RawConfigPreview,
  RawConfigSynced,
  RawConfigVersion,
  RawConfigVersionDetail,
  SyncBody,
  VersionListQuery,
  VersionParams,
  VersionQuery,
} from './schema.ts'
import { previewConfig, pushSync, recordSync } from './service.ts'
import { getVersion, listVersions } from './versions.ts'

const tags = ['gateways']

export function rawConfigRoutes(app: App): void {
  versionRoutes(app)

  app.get(
    '/:id/rawconfig/preview',
    {
      ...needs('read:gateway'),
      schema: {
        tags,
        operationId: 'previewGatewayConfig',
        summary: 'Preview a sync: registers, requests, bus time and changes',
        params: IdParams,
        response: { 200: RawConfigPreview },
      },
    },
    async (request, reply) =>
      withWarningTexts(await previewConfig(request.tenantDb(), request.params.id), languageOf(reply)),
  )

  app.post(
    '/:id/rawconfig/sync',
    {
      ...needs('manage:gateway'),
      schema: {
        tags,
        operationId: 'syncGatewayConfig',
        summary: 'Push the configuration with a version number and a hash',
        description:
          'A gateway on a message broker receives the configuration as a retained message on config/desired ' +
          'and responds on config/reported. A Modbus gateway is polled with it immediately. A repeated ' +
          'request pushes the same version again.',
        params: IdParams,
        body: SyncBody,
        response: { 200: RawConfigSynced },
      },
    },
    async (request, reply) => {
      const input = {
        id: request.params.id,
        userId: request.principal.id,
        isForced: request.body?.force ?? false,
        at: new Date(app.deps.clock.now()),
      }
      const synced = await request.tenantTx((tx) => recordSync(tx, input))
      await pushSync(app.deps, request.principal, synced)
      return withWarningTexts(synced.response, languageOf(reply))
    },
  )
}

function versionRoutes(app: App): void {
  app.get(
    '/:id/rawconfig/versions',
    {
      ...needs('read:gateway'),
      schema: {
        tags,
        operationId: 'listGatewayConfigVersions',
        summary: 'List the configurations that were pushed to a gateway, newest first',
        params: IdParams,
        querystring: VersionListQuery,
        response: { 200: Page(RawConfigVersion) },
      },
    },
    (request) => listVersions(request.tenantDb(), request.params.id, request.query),
  )

  getResource(
    app,
    '/:id/rawconfig/versions/:version',
    {
      ...needs('read:gateway'),
      schema: {
        tags,
        operationId: 'getGatewayConfigVersion',
        summary: 'Get a pushed configuration and its changes from an earlier one',
        description:
          'Pushed configurations are kept permanently. The version before is compared unless `compare_with` ' +
          'names another one; a later one is allowed as well.',
        params: VersionParams,
        querystring: VersionQuery,
        response: { 200: RawConfigVersionDetail },
      },
    },
    (request) =>
      getVersion(request.tenantDb(), { ...request.params, compareWith: request.query.compare_with }),
  )
}
