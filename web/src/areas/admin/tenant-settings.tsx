import { useCan } from '../../api/session.tsx'
import { PROVIDER_ACTIONS, ROLE } from '../../records/admin-resources.ts'
import { ADMIN_KIND_TEXTS } from '../../records/admin-texts.ts'
import { ActionButtons } from '../../records/record-buttons.tsx'
import { SettingsForm } from '../../records/settings-form.tsx'

/** Settings of the whole tenant: how its users sign in, and what its calculations depend on. */
export function TenantSettings() {
  const can = useCan()
  return (
    <>
      <SettingsForm
        title={ADMIN_KIND_TEXTS.ADMIN_KIND_SIGN_IN}
        note={ADMIN_KIND_TEXTS.ADMIN_KIND_SIGN_IN_NOTE}
        path="/api/auth/sign-in-policy"
        method="PUT"
        permission="manage:user"
        shown={['require_totp']}
        isReplacing
      />
      {can('manage:user') && (
        <SettingsForm
          title={ADMIN_KIND_TEXTS.ADMIN_KIND_OIDC}
          note={ADMIN_KIND_TEXTS.ADMIN_KIND_OIDC_NOTE}
          path="/api/auth/oidc/provider"
          method="PUT"
          references={{ role_id: ROLE }}
          shown={[]}
          isReplacing
          initial={{ scopes: 'openid, email, profile', is_enabled: 'true', allows_password: 'true' }}
          actions={<ActionButtons record={{ id: 'provider' }} actions={PROVIDER_ACTIONS} />}
        />
      )}
      {can('read:netting') && (
        <SettingsForm
          title={ADMIN_KIND_TEXTS.ADMIN_KIND_NETTING}
          note={ADMIN_KIND_TEXTS.ADMIN_KIND_NETTING_NOTE}
          path="/api/mahsuplasma/settings"
          method="PATCH"
          permission="manage:netting"
          shown={['strict_storage_export']}
        />
      )}
    </>
  )
}
