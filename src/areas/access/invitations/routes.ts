import { shareOfClient } from '../../../platform/auth/hash-shares.ts'
import { forEveryone, needs } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { addressKey } from '../../../platform/http/networks.ts'
import { User } from '../users/index.ts'
import { AcceptInvitation, CreateInvitation, Invitation } from './schema.ts'
import { accept, invite } from './service.ts'

/** Mounted at /api/users: sends invitations. */
export function invitationRoutes(app: App): void {
  app.post(
    '/',
    {
      ...needs('manage:user'),
      schema: {
        tags: ['users'],
        operationId: 'inviteUser',
        summary: 'Invite a user by e-mail',
        description:
          'The link is valid for 7 days and revokes the previous one. A pending invitation whose roles have ' +
          'permissions that the caller lacks cannot be replaced (403). An address that is already registered ' +
          'in the service is 409 DUPLICATE_ENTRY. If the service sends mails (SMTP_URL), the address of the ' +
          'caller must be verified (403 EMAIL_NOT_VERIFIED).',
        body: CreateInvitation,
        response: { 201: Invitation },
      },
    },
    async ({ principal, body }, reply) => reply.code(201).send(await invite(app.deps, principal, body)),
  )
}

/** Mounted at /api/auth: accepts invitations. */
export function acceptanceRoutes(app: App): void {
  app.post(
    '/accept',
    {
      ...forEveryone,
      schema: {
        tags: ['authentication'],
        operationId: 'acceptInvitation',
        summary: 'Create the account of an invitation',
        description: 'An unknown, expired, revoked or used token is 400 INVALID_INVITATION_TOKEN.',
        security: [],
        body: AcceptInvitation,
        response: { 201: User },
      },
    },
    async ({ ip, body }, reply) =>
      reply.code(201).send(await accept(app.deps, body, shareOfClient(addressKey(ip), 'link'))),
  )
}
