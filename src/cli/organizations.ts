import {
  addSystemOrganization,
  deactivateSystemOrganization,
  listSystemOrganizations,
  ORG_TYPES,
  type OrgType,
} from '../areas/netting/index.ts'
import { AppError } from '../kernel/errors.ts'
import { isUuid } from '../kernel/uuid.ts'
import { inSystemTx, systemDb } from '../platform/db/tenant.ts'
import { type Command, required, UsageError } from './command.ts'
import { withDeps } from './database.ts'

const NAME_LENGTH_MAX = 200

const isOrgType = (text: string): text is OrgType => ORG_TYPES.some((type) => type === text)

export const organizationList: Command = {
  options: {},
  positionals: 0,
  run: (invocation) =>
    withDeps(invocation, async ({ database }) => {
      const rows = await listSystemOrganizations(systemDb(database.kysely))
      for (const { id, org_type, name, is_active, tenants } of rows)
        invocation.io.out(
          `${id}  ${org_type.padEnd(20)}  ${is_active ? 'active  ' : 'inactive'}  ${tenants}  ${name}`,
        )
      if (rows.length === 0)
        invocation.io.out('There is none; the start of the service brings the first ones.')
      return 0
    }),
}

export const organizationAdd: Command = {
  options: { type: { type: 'string' }, name: { type: 'string' } },
  positionals: 0,
  run: (invocation) => {
    const [orgType, name] = [required(invocation, 'type'), required(invocation, 'name')]
    if (!isOrgType(orgType)) throw new UsageError(`--type is one of ${ORG_TYPES.join(', ')}`)
    if (name.length > NAME_LENGTH_MAX || /\p{Cc}/u.test(name))
      throw new UsageError(`--name has at most ${NAME_LENGTH_MAX} characters, and no control characters`)
    return withDeps(invocation, async ({ database }) => {
      const { id, instead } = await inSystemTx(database.kysely, (tx) =>
        addSystemOrganization(tx, { orgType, name }),
      )
      invocation.io.out(`${name} (${orgType}) is known in every tenant as ${id}.`)
      for (const { slug } of instead)
        invocation.io.out(`But tenant ${slug} keeps its own organization of this type and name.`)
      return 0
    })
  },
}

export const organizationDeactivate: Command = {
  options: {},
  positionals: 1,
  run: (invocation) => {
    const [id = ''] = invocation.positionals
    if (!isUuid(id)) throw new UsageError(`"${id}" is not an id; "netsaat organization list" shows them`)
    return withDeps(invocation, async ({ database }) => {
      try {
        const { name, org_type } = await inSystemTx(database.kysely, (tx) =>
          deactivateSystemOrganization(tx, id),
        )
        invocation.io.out(`${name} (${org_type}) is inactive in every tenant.`)
        return 0
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        throw new Error(`there is no system-wide organization ${id}`, { cause: error })
      }
    })
  },
}
