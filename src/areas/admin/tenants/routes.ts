import { AppError } from '../../../kernel/errors.ts'
import { shareOfClient, shareOfUser } from '../../../platform/auth/hash-shares.ts'
import { forEveryone, forSuperuser } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { addressKey } from '../../../platform/http/networks.ts'
import { withErrors } from '../../../platform/http/openapi.ts'
import { Page } from '../../../platform/http/page.ts'
import { CreatedTenant, CreateTenant, SignedUp, Signup, Tenant, TenantQuery } from './schema.ts'
import { createTenantFromBody, signUp } from './service.ts'
import { list } from './store.ts'

const tags = ['tenants']

export function tenantRoutes(app: App): void {
  app.get(
    '/',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'listTenants',
        summary: 'List tenants',
        querystring: TenantQuery,
        response: { 200: Page(Tenant) },
      },
    },
    (request) => list(request.systemDb(), request.query),
  )

  app.post(
    '/',
    {
      ...forSuperuser,
      schema: {
        tags,
        operationId: 'createTenant',
        summary: 'Create a tenant with its system roles and its first admin',
        description: 'A slug or address that is already in use is 409 DUPLICATE_ENTRY.',
        body: CreateTenant,
        response: { 201: CreatedTenant },
      },
    },
    async ({ principal, body }, reply) =>
      reply.code(201).send(await createTenantFromBody(app.deps, body, shareOfUser(principal))),
  )
}

export function signupRoutes(app: App): void {
  app.post(
    '/',
    {
      ...withErrors(forEveryone, 403),
      // Refused before the body is read, like every 403.
      onRequest: async () => {
        if (!app.deps.config.tenantSignupEnabled) {
          throw new AppError(403, 'PERMISSION_DENIED', 'signup is not enabled on this service')
        }
      },
      schema: {
        tags: ['authentication'],
        operationId: 'signUp',
        summary: 'Create a tenant with the caller as its admin',
        description:
          'Enabled only when TENANT_SIGNUP_ENABLED is set; otherwise 403. A registered address is 409 ' +
          'DUPLICATE_ENTRY.',
        security: [],
        body: Signup,
        response: { 201: SignedUp },
      },
    },
    async ({ ip, body }, reply) =>
      reply.code(201).send(await signUp(app.deps, body, shareOfClient(addressKey(ip), 'signup'))),
  )
}
