import { X509Certificate } from 'node:crypto'
import { found } from '../../../kernel/errors.ts'
import type { CommandAction } from '../../../kernel/ocpp.ts'
import { declaredOf } from '../../../platform/db/columns.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { acceptIdempotencyKeys } from '../../../platform/http/idempotency.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { Page } from '../../../platform/http/page.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { Command, enqueueCommand } from '../commands/index.ts'
import { CHARGING_TEXTS } from '../messages.ts'
import { requireCharger } from '../registry/index.ts'
import {
  AuthorityCertificate,
  CertificateQuery,
  ChargerCertificate,
  DeleteCertificateBody,
  InstallCertificateBody,
  ListInstalledBody,
} from './schema.ts'
import { readAuthorityCertificate } from './sealed-authority.ts'
import { listCertificates } from './store.ts'

const tags = ['chargers']
const read = needs('read:charger')
const manage = needs('manage:charger')

/** Below /api/ocpp: the authority that signs for stations. */
export function authorityRoutes(app: App): void {
  app.get(
    '/authority',
    {
      ...withErrors(read, 404),
      schema: {
        tags,
        operationId: 'getChargerAuthority',
        summary: 'Get the certificate authority of the charging stations',
        description:
          'The response contains the CA certificate for the validation of station certificates. 404 until a ' +
          'station has requested a certificate.',
        response: { 200: AuthorityCertificate },
      },
    },
    async () => {
      const pem = found('authority', await readAuthorityCertificate(app.deps))
      const certificate = new X509Certificate(pem)
      return {
        certificate_pem: pem,
        sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
        not_after: new Date(certificate.validTo),
      }
    },
  )
}

/** 422 for text that is no certificate: every station would reject it. */
function checkCertificate(pem: string): void {
  try {
    new X509Certificate(pem)
  } catch {
    throw invalidInput(['body', 'certificate_pem'], CHARGING_TEXTS.CERTIFICATE_NOT_PEM())
  }
}

/** Below /api/ocpp/chargers: the certificates that a station was granted, and those that it trusts. */
export function chargerCertificateRoutes(app: App): void {
  acceptIdempotencyKeys(app)
  app.get(
    '/:id/certificates',
    {
      ...read,
      schema: {
        tags,
        operationId: 'listChargerCertificates',
        summary: 'List the certificates that were issued to a charging station',
        params: IdParams,
        querystring: CertificateQuery,
        response: { 200: Page(ChargerCertificate) },
      },
    },
    async (request) => {
      const tenant = request.tenantDb()
      await requireCharger(tenant, request.params.id)
      return listCertificates(tenant, { chargerId: request.params.id }, request.query)
    },
  )

  const actions = [
    [
      'install',
      'install_certificate',
      InstallCertificateBody,
      'Install a root certificate on a charging station',
    ],
    [
      'installed',
      'list_certificates',
      ListInstalledBody,
      'Query the installed root certificates of a charging station',
    ],
    [
      'delete',
      'delete_certificate',
      DeleteCertificateBody,
      'Delete an installed certificate of a charging station',
    ],
  ] as const satisfies readonly (readonly [string, CommandAction, { readonly properties: object }, string])[]
  for (const [path, action, body, summary] of actions) {
    app.post(
      `/:id/certificates/${path}`,
      {
        ...manage,
        schema: {
          tags,
          operationId: `${path}ChargerCertificate${path === 'installed' ? 's' : ''}`,
          summary,
          description: 'Creates a command; its result is the response of the station.',
          params: IdParams,
          body,
          response: { 202: Command },
        },
      },
      async (request, reply) => {
        const { principal, params } = request
        const options = declaredOf(request.body as object, body)
        if ('certificate_pem' in options) checkCertificate(String(options.certificate_pem))
        const command = await request.tenantTx(async (tx) => {
          await requireCharger(tx, params.id)
          return enqueueCommand(tx, {
            charger: { chargerId: params.id },
            action,
            request: options,
            requestedBy: principal.id,
            now: new Date(app.deps.clock.now()),
          })
        })
        app.deps.bus.emit('charger_command', { tenantId: principal.tenantId, chargerId: params.id })
        return reply.code(202).send(command)
      },
    )
  }
}
