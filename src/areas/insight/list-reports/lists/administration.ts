import { type ListReport, listReport } from '../list-report.ts'

export const ADMINISTRATION_LISTS: readonly ListReport[] = [
  listReport(
    'users',
    '/api/users',
    ['Kullanıcılar', 'Users'],
    'full_name email role_ids is_active last_login_at created_at | is_superuser is_email_verified ' +
      'language id',
  ),
  listReport(
    'invitations',
    '/api/users/invitations',
    ['Davetler', 'Invitations'],
    'email role_ids language expires_at created_at | id',
  ),
  listReport('roles', '/api/roles', ['Roller', 'Roles'], 'name permissions is_system | created_at id'),
  listReport(
    'api_keys',
    '/api/api-keys',
    ['API anahtarları', 'API keys'],
    'name prefix permissions expires_at last_used_at created_at | owner_is_active user_id id',
  ),
  listReport(
    'machine_keys',
    '/api/machine-keys',
    ['Program anahtarları', 'Machine keys'],
    'name prefix permissions expires_at last_used_at created_at | owner_is_active user_id id',
  ),
  listReport(
    'tenants',
    '/api/v1/admin/tenants',
    ['Kiracılar', 'Tenants'],
    'name slug is_active created_at | id',
  ),
  listReport(
    'tenant_deletions',
    '/api/v1/admin/tenant-deletions',
    ['Kiracı silmeleri', 'Deletions of tenants'],
    'requested_at name slug status tables_done tables_total rows_deleted | requested_by_email ' +
      'current_table started_at progressed_at finished_at requested_by tenant_id id',
  ),
  listReport(
    'market_accounts',
    '/api/v1/admin/marketop-transparency/accounts',
    ['Şeffaflık hesapları', 'Transparency accounts'],
    'name portal_username whitelist_status last_test_at last_test_ok last_test_message | last_test_step ' +
      'created_at updated_at id',
  ),
]
