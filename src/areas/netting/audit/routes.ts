import { Type } from 'typebox'
import { writeZip } from '../../../platform/files/zip.ts'
import { needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { BillingPeriod, described, IdParams } from '../../../platform/http/fields.ts'
import { packPeriod } from './service.ts'
import { makePackageSigner, SIGNATURE_ALGORITHM } from './signature.ts'

const Query = Type.Object({
  billing_period: described(BillingPeriod, 'Month; any date of it is truncated.'),
})

const AuditKey = Type.Object(
  {
    algorithm: Type.Literal(SIGNATURE_ALGORITHM, { description: 'Signature algorithm.' }),
    key_id: Type.String({
      pattern: '^[0-9a-f]{16}$',
      description: 'First 16 hexadecimal digits of the SHA-256 of the public key in DER.',
    }),
    public_key: Type.String({ description: 'Public key in PEM (SubjectPublicKeyInfo).' }),
  },
  { title: 'AuditKey' },
)

export function auditRoutes(app: App): void {
  const signer = makePackageSigner(app.deps.config.secretKey)
  app.get(
    '/audit-key',
    {
      ...needs('read:netting'),
      schema: {
        tags: ['netting proof'],
        operationId: 'getAuditKey',
        summary: 'Get the public key that verifies the signatures of audit packages',
        description:
          'The key is derived from SECRET_KEY and changes with it. Packages that were made before such a ' +
          'change are verified with the key of their time, so keep it with them.',
        response: { 200: AuditKey },
      },
    },
    () => ({ algorithm: SIGNATURE_ALGORITHM, key_id: signer.keyId, public_key: signer.publicKeyPem }),
  )
  app.get(
    '/groups/:id/audit-package',
    {
      ...needs('read:netting'),
      schema: {
        tags: ['netting proof'],
        operationId: 'getAuditPackage',
        summary:
          'Download a ZIP archive that proves the current figures of a period: inputs, results, hashes',
        description:
          'The archive contains every input of the current runs of the period as it was at their time, their ' +
          'results, and the SHA-256 of each file, signed with Ed25519. `netsaat audit replay FILE` verifies ' +
          'the signature, computes the results again without a database and reports that they are ' +
          'identical, or the first difference. 422 if no hour of the month is calculated.',
        params: IdParams,
        querystring: Query,
        response: {
          200: {
            description: 'The package, as an attachment.',
            content: {
              'application/zip': {
                schema: Type.Unsafe<NodeJS.ReadableStream>({ type: 'string', format: 'binary' }),
              },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const now = app.deps.clock.now()
      const { fileName, entries } = await packPeriod(request.tenantDb(), {
        groupId: request.params.id,
        billingPeriod: request.query.billing_period,
        now,
        signer,
      })
      return reply
        .type('application/zip')
        .header('Content-Disposition', `attachment; filename="${fileName}"`)
        .send(writeZip(entries, new Date(now)))
    },
  )
}
