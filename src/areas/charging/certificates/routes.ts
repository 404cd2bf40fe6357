import { X509Certificate } from 'node:crypto'
import { found } from '../../../kernel/errors.ts'
import type { CommandAction } from '../../../kernel/ocpp.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { IdParams } from '../../../platform/http/fields.ts'
import { acceptIdempotencyKeys } from '../../../platform/http/idempotency.ts'
import { Page } from '../../../platform/http/page.ts'
import { invalidInput } from '../../../platform/http/validation.ts'
import { Command, enqueueCommand } from '../commands/index.ts'
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
      ...read,
      schema: {
        tags,
        operationId: 'getChargerAuthority',
        summary: 'The certificate authority of charging stations',
        description: 'Its certificate, to trust what it has signed. 404 until a station first asked for one.',
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
    throw invalidInput(['body', 'certificate_pem'], 'it is no certificate')
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
        summary: 'List the certificates that a charging station was granted',
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
    ['install', 'install_certificate', InstallCertificateBody, 'Have a root certificate installed'],
    ['installed', 'list_certificates', ListInstalledBody, 'Ask which root certificates are installed'],
    ['delete', 'delete_certificate', DeleteCertificateBody, 'Have an installed certificate deleted'],
  ] as const satisfies readonly (readonly [string, CommandAction, object, string])[]
  for (const [path, action, body, summary] of actions) {
    app.post(
      `/:id/certificates/${path}`,
      {
        ...manage,
        schema: {
          tags,
          operationId: `${path}ChargerCertificate${path === 'installed' ? 's' : ''}`,
          summary,
          description: 'A command; its answer is the station’s.',
          params: IdParams,
          body,
          response: { 202: Command },
        },
      },
      async (request, reply) => {
        const { principal, params } = request
        const options = request.body as object
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
