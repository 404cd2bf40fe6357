import { resetPasswordByEmail, resetTotpByEmail } from '../areas/access/auth/index.ts'
import { createTenant, createTenantUser } from '../areas/admin/tenants/index.ts'
import { AppError } from '../kernel/errors.ts'
import { textOf } from '../kernel/messages.ts'
import { SYSTEM_ROLES } from '../kernel/permissions.ts'
import { generatePassword, passwordFault } from '../platform/auth/password.ts'
import { inSystemTx } from '../platform/db/tenant.ts'
import { type Command, type Invocation, optionalText, required, UsageError } from './command.ts'
import { withDeps } from './database.ts'

/**
 * A password is read from standard input or generated, because an argument would appear in the process
 * list.
 */
const PASSWORD_OPTION = { 'password-stdin': { type: 'boolean' } } as const

interface ChosenPassword {
  readonly password: string
  /** A line for the operator, when the password was generated. */
  readonly news: readonly string[]
}

async function choosePassword({ options, io }: Invocation): Promise<ChosenPassword> {
  if (!options['password-stdin']) {
    const password = generatePassword()
    return { password, news: [`The password is ${password} (shown only this once).`] }
  }
  const password = (await io.readInput()).replace(/\r?\n$/, '')
  const fault = passwordFault(password)
  if (fault !== undefined) throw new UsageError(`The password ${textOf(fault)}`)
  return { password, news: [] }
}

const isRole = (text: string): text is keyof typeof SYSTEM_ROLES => text in SYSTEM_ROLES

/**
 * Prints an error of the service layer as a sentence for the operator; it is not a failure of the program.
 */
async function printLines(invocation: Invocation, work: () => Promise<readonly string[]>): Promise<number> {
  try {
    for (const line of await work()) invocation.io.out(line)
    return 0
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new Error(error.message, { cause: error })
  }
}

export const tenantCreate: Command = {
  options: {
    name: { type: 'string' },
    slug: { type: 'string' },
    'admin-email': { type: 'string' },
    'admin-name': { type: 'string' },
    ...PASSWORD_OPTION,
  },
  positionals: 0,
  async run(invocation) {
    const [name, email] = [required(invocation, 'name'), required(invocation, 'admin-email')]
    const { password, news } = await choosePassword(invocation)
    return withDeps(invocation, (deps) =>
      printLines(invocation, async () => {
        const passwordHash = await deps.passwords.hash(password)
        const { tenant, admin } = await inSystemTx(deps.database.kysely, (tx) =>
          createTenant(tx, {
            name,
            slug: optionalText(invocation, 'slug'),
            admin: {
              email,
              passwordHash,
              fullName: optionalText(invocation, 'admin-name'),
              isEmailVerified: true,
            },
          }),
        )
        return [`Created tenant ${tenant.slug} (${tenant.id}) with the admin ${admin.email}.`, ...news]
      }),
    )
  },
}

export const userCreate: Command = {
  options: {
    tenant: { type: 'string' },
    email: { type: 'string' },
    role: { type: 'string', default: 'viewer' },
    name: { type: 'string' },
    superuser: { type: 'boolean', default: false },
    ...PASSWORD_OPTION,
  },
  positionals: 0,
  async run(invocation) {
    const [tenant, email, role] = [
      required(invocation, 'tenant'),
      required(invocation, 'email'),
      required(invocation, 'role'),
    ]
    if (!isRole(role))
      throw new UsageError(`--role is one of ${Object.keys(SYSTEM_ROLES).join(', ')}, not "${role}"`)
    const { password, news } = await choosePassword(invocation)
    return withDeps(invocation, (deps) =>
      printLines(invocation, async () => {
        const fullName = optionalText(invocation, 'name')
        const isSuperuser = invocation.options['superuser'] === true
        const user = await createTenantUser(deps, { tenant, role, email, password, fullName, isSuperuser })
        return [`Created ${user.email}, ${role} of ${tenant}.`, ...news]
      }),
    )
  },
}

export const userResetPassword: Command = {
  options: { email: { type: 'string' }, ...PASSWORD_OPTION },
  positionals: 0,
  async run(invocation) {
    const email = required(invocation, 'email')
    const { password, news } = await choosePassword(invocation)
    return withDeps(invocation, (deps) =>
      printLines(invocation, async () => {
        if (!(await resetPasswordByEmail(deps, { email, password })))
          throw new Error(`There is no active user with the address ${email}`)
        return [`The password of ${email} was changed.`, ...news]
      }),
    )
  },
}

export const userResetTotp: Command = {
  options: { email: { type: 'string' } },
  positionals: 0,
  async run(invocation) {
    const email = required(invocation, 'email')
    return withDeps(invocation, (deps) =>
      printLines(invocation, async () => {
        if (!(await resetTotpByEmail(deps, email)))
          throw new Error(`There is no active user with the address ${email} and one-time passwords`)
        return [`The one-time passwords of ${email} were removed.`]
      }),
    )
  },
}
